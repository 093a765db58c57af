import { ChevronRight, type LucideIcon } from 'lucide-react'
import { Link } from '~/lib/i18n/i18n'

type Props = { to: string; icon: LucideIcon; title: string; text: string }

/** The way to one part of the admin area, as an item of a list; the whole card can be pressed. */
export function AdminSectionLink({ to, icon: Icon, title, text }: Props) {
  return (
    <li className="grid">
      <Link
        to={to}
        className="flex items-start gap-4 rounded-2xl border border-line bg-surface p-5 shadow-card hover:border-line-strong sm:p-6"
      >
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <span className="grid gap-1">
          <span className="text-lg leading-tight font-bold">{title}</span>
          <span className="text-ink-soft">{text}</span>
        </span>
        <ChevronRight aria-hidden="true" className="ml-auto size-5 shrink-0 self-center text-ink-soft" />
      </Link>
    </li>
  )
}
