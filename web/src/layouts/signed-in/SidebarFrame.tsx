import { type LucideIcon, Menu, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link, NavLink } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Logo } from '~/ui/Logo'

type FrameProps = {
  /** Name of the part of the product, unless it is the ordinary one. */
  area?: string
  /** Shows a dot on the menu's button while the menu is closed. */
  hasUpdates: boolean
  children: ReactNode
}

/**
 * Frames the navigation of signed-in pages: a bar with a menu on small screens, a column on large ones. The bar stays in view,
 * unless the screen is so low (a phone on its side) that it would cover what is typed.
 */
export function SidebarFrame({ area, hasUpdates, children }: FrameProps) {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key // navigating closes the menu

  return (
    <header className="relative top-0 z-20 border-b border-line bg-sunken lg:sticky [@media(min-height:30rem)]:sticky lg:h-dvh lg:border-r lg:border-b-0 print:hidden">
      <div className="flex h-full flex-col">
        <div className="flex min-h-16 items-center justify-between gap-2 px-4 lg:px-5 lg:pt-5">
          <div className="flex flex-wrap items-center gap-x-3">
            <Link to={paths.home()} className="flex rounded-lg py-2" aria-label={m.logo_label({ product: PRODUCT })}>
              <Logo />
            </Link>
            {area && (
              <span className="rounded-md bg-ink px-2 py-1 text-sm leading-none font-bold whitespace-nowrap text-paper">
                {area}
              </span>
            )}
          </div>
          <Button
            variant="ghost"
            size="icon"
            className="relative lg:hidden!"
            aria-expanded={open}
            aria-controls="site-menu"
            onClick={() => setOpenAt(open ? null : key)}
          >
            {open ? <X aria-hidden="true" className="size-6" /> : <Menu aria-hidden="true" className="size-6" />}
            <span className="sr-only">{m.nav_menu()}</span>
            {hasUpdates && !open && (
              <span className="absolute top-2 right-2 size-3 rounded-full bg-danger-fill ring-2 ring-sunken forced-color-adjust-none" />
            )}
          </Button>
        </div>
        <div
          id="site-menu"
          data-open={open || undefined}
          className="hidden max-h-[calc(100dvh-4rem)] flex-1 flex-col gap-6 overflow-y-auto px-4 pt-2 pb-5 data-open:flex lg:flex lg:max-h-none lg:px-5 lg:pt-6"
        >
          {children}
        </div>
      </div>
    </header>
  )
}

type ItemProps = { to: string; icon: LucideIcon; end?: boolean; after?: ReactNode; children: string }

/** Links to one page in the navigation. */
export function SidebarItem({ to, icon: Icon, end = false, after, children }: ItemProps) {
  return (
    <NavLink
      to={to}
      end={end}
      className="flex min-h-11 items-center gap-3 rounded-[0.625rem] px-3 font-semibold text-ink-soft hover:bg-ink/6 hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-bold aria-[current=page]:text-ink aria-[current=page]:shadow-card"
    >
      <Icon aria-hidden="true" className="size-5 shrink-0" />
      <span className="mr-auto">{children}</span>
      {after}
    </NavLink>
  )
}
