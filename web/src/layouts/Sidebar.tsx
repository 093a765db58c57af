import { useQuery } from '@tanstack/react-query'
import { Bell, CarFront, House, LogOut, type LucideIcon, Mail, Menu, Send, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link, NavLink } from '~/lib/i18n'
import { displayName, signOut } from '~/lib/session.client'
import { useUser } from '~/lib/user'
import { unreadCountQuery } from '~/notifications/queries'
import { m } from '~/paraglide/messages'
import { CountBadge } from '~/ui/Badge'
import { Button, ButtonLink } from '~/ui/Button'
import { LanguageSwitch } from '~/ui/LanguageSwitch'
import { Logo } from '~/ui/Logo'
import { ThemeSwitch } from '~/ui/ThemeSwitch'

/** The navigation of signed-in pages: a bar with a menu on small screens, a column on large ones. */
export function Sidebar() {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const open = openAt === key // going elsewhere closes the menu
  const { data: unread = 0 } = useQuery(unreadCountQuery)

  return (
    <header className="sticky top-0 z-20 border-b border-line bg-sunken lg:h-dvh lg:border-r lg:border-b-0">
      <div className="flex h-full flex-col">
        <div className="flex min-h-16 items-center justify-between gap-2 px-4 lg:px-5 lg:pt-5">
          <Link to={paths.home()} className="flex rounded-lg py-2" aria-label={m.logo_label({ product: PRODUCT })}>
            <Logo />
          </Link>
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
            {unread > 0 && !open && (
              <span className="absolute top-2 right-2 size-3 rounded-full bg-danger-fill ring-2 ring-sunken" />
            )}
          </Button>
        </div>
        <div
          id="site-menu"
          data-open={open || undefined}
          className="hidden max-h-[calc(100dvh-4rem)] flex-1 flex-col gap-6 overflow-y-auto px-4 pt-2 pb-5 data-open:flex lg:flex lg:max-h-none lg:px-5 lg:pt-6"
        >
          <nav aria-label={m.nav_main()} className="grid gap-1">
            <Item to={paths.dashboard()} icon={House} end>
              {m.nav_dashboard()}
            </Item>
            <Item
              to={paths.notifications()}
              icon={Bell}
              after={<CountBadge count={unread} label={m.unread_count({ count: unread })} />}
            >
              {m.nav_notifications()}
            </Item>
            <Item to={paths.vehicles()} icon={CarFront}>
              {m.nav_vehicles()}
            </Item>
            <Item to="/dashboard/messages" icon={Mail}>
              {m.nav_messages()}
            </Item>
          </nav>
          <ButtonLink to={paths.send()}>
            <Send aria-hidden="true" className="size-5" />
            {m.action_send_a_message()}
          </ButtonLink>
          <Account />
        </div>
      </div>
    </header>
  )
}

type ItemProps = { to: string; icon: LucideIcon; end?: boolean; after?: ReactNode; children: string }

function Item({ to, icon: Icon, end = false, after, children }: ItemProps) {
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

function Account() {
  const user = useUser()
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOut() // then SIGNED_OUT leads to the landing page (dashboard-layout.route.tsx)
  }
  return (
    <div className="mt-auto grid gap-2 border-t border-line pt-4">
      <p className="truncate px-3 font-bold" title={user.email}>
        {displayName(user)}
      </p>
      <Button variant="ghost" className="justify-start! gap-3! px-3! font-semibold!" pending={leaving} onClick={leave}>
        <LogOut aria-hidden="true" className="size-5" />
        {m.action_sign_out()}
      </Button>
      <div className="flex items-center justify-between">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </div>
  )
}
