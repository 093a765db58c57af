import { CircleUserRound, LogOut, type LucideIcon, Menu, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { shownEmail } from '#contract/auth.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link, NavLink } from '~/lib/i18n/i18n'
import { signOut } from '~/lib/session/sign-out'
import { displayName, useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { LanguageSwitch } from '~/ui/LanguageSwitch'
import { LegalLinks } from '~/ui/LegalLinks'
import { Logo } from '~/ui/Logo'
import { ThemeSwitch } from '~/ui/ThemeSwitch'

/** A page in the navigation, and how much there is new on it, for screen readers in words. */
type Item = { to: string; icon: LucideIcon; text: string; count?: number; countText?: string }

type Props = {
  /** Name of the part of the product, unless it is the ordinary one. */
  area?: string
  /** The first one is the start page, whose path all others begin with. */
  items: Item[]
  /** Shown below them. */
  action?: ReactNode
  /** The path of the user's profile. */
  profilePath: string
}

/**
 * Shows the navigation of signed-in pages: a bar with a menu on small screens, a column on large ones. The bar stays in view,
 * unless the screen is so low (a phone on its side) that it would cover what is typed. While the menu is closed, a dot on its
 * button says that there is something new.
 */
export function Sidebar({ area, items, action, profilePath }: Props) {
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
            {items.some(({ count }) => count) && !open && (
              <span className="absolute top-2 right-2 size-3 rounded-full bg-danger-fill ring-2 ring-sunken forced-color-adjust-none" />
            )}
          </Button>
        </div>
        <div
          id="site-menu"
          data-open={open || undefined}
          className="hidden max-h-[calc(100dvh-4rem)] flex-1 flex-col gap-6 overflow-y-auto px-4 pt-2 pb-5 data-open:flex lg:flex lg:max-h-none lg:px-5 lg:pt-6"
        >
          <nav aria-label={m.nav_main()} className="grid gap-1">
            {items.map(({ to, icon: Icon, text, count = 0, countText = '' }, i) => (
              <NavLink
                key={to}
                to={to}
                end={i === 0}
                className="flex min-h-11 items-center gap-3 rounded-[0.625rem] px-3 font-semibold text-ink-soft hover:bg-ink/6 hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-bold aria-[current=page]:text-ink aria-[current=page]:shadow-card"
              >
                <Icon aria-hidden="true" className="size-5 shrink-0" />
                <span className="mr-auto">{text}</span>
                <CountBadge count={count} label={countText} />
              </NavLink>
            ))}
          </nav>
          {action}
          <Account name={displayName(useUser()) || (area ?? '')} profilePath={profilePath} />
        </div>
      </div>
    </header>
  )
}

/** Shows the foot of the navigation: who is signed in, their profile, signing out, language, theme and help. */
function Account({ name, profilePath }: { name: string; profilePath: string }) {
  const user = useUser()
  const [signingOut, setSigningOut] = useState(false)
  const onSignOut = () => {
    setSigningOut(true)
    void signOut() // SIGNED_OUT then leads to the landing page (use-session-events.ts)
  }
  return (
    <div className="mt-auto grid gap-2 border-t border-line pt-4">
      <NavLink
        to={profilePath}
        className="group flex min-h-14 items-center gap-3 rounded-[0.625rem] px-3 py-1.5 hover:bg-ink/6 aria-[current=page]:bg-surface aria-[current=page]:shadow-card"
      >
        <CircleUserRound aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
        <span className="grid min-w-0 leading-snug">
          <span translate="no" className="truncate font-bold" title={shownEmail(user)}>
            {name}
          </span>{' '}
          <span className="link text-sm">{m.nav_view_profile()}</span>
        </span>
      </NavLink>
      <Button
        icon={LogOut}
        variant="ghost"
        className="justify-start! gap-3! px-3! font-semibold!"
        pending={signingOut}
        onClick={onSignOut}
      >
        {m.action_sign_out()}
      </Button>
      <div className="flex items-center justify-between">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <LegalLinks className="-mr-4 gap-x-2.5 pl-3 text-[0.8125rem]!" />
    </div>
  )
}
