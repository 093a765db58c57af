import { CircleUserRound, LogOut } from 'lucide-react'
import { useState } from 'react'
import { shownEmail } from '#contract/auth.ts'
import { NavLink } from '~/lib/i18n/i18n'
import { preloadAuthClient, signOut } from '~/lib/session/sign-out'
import { useUser } from '~/lib/session/user'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { LanguageSwitch } from '~/ui/LanguageSwitch'
import { LegalLinks } from '~/ui/LegalLinks'
import { ThemeSwitch } from '~/ui/ThemeSwitch'

type Props = {
  /** The name to show for the user. */
  name: string
  /** The path of the user's profile. */
  profilePath: string
}

/** Shows the foot of the navigation: who is signed in, their profile, signing out, language, theme and help. */
export function SidebarAccount({ name, profilePath }: Props) {
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
          <span className="truncate font-bold" title={shownEmail(user)}>
            {name}
          </span>{' '}
          <span className="link text-sm">{m.nav_view_profile()}</span>
        </span>
      </NavLink>
      <Button
        variant="ghost"
        className="justify-start! gap-3! px-3! font-semibold!"
        pending={signingOut}
        onPointerEnter={preloadAuthClient}
        onFocus={preloadAuthClient}
        onClick={onSignOut}
      >
        <LogOut aria-hidden="true" className="size-5" />
        {m.action_sign_out()}
      </Button>
      <div className="flex items-center justify-between">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <LegalLinks className="gap-x-3 pl-3" />
    </div>
  )
}
