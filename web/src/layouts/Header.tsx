import { Menu, X } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { MENU } from '~/lib/page/inline-head-attributes'
import { m } from '~/paraglide/messages'
import { SignedIn, SignedOut } from '~/ui/AuthVisibility'
import { ButtonLink } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { LanguageSwitch } from '~/ui/LanguageSwitch'
import { Logo } from '~/ui/Logo'
import { SiteLink } from '~/ui/SiteLink'
import { ThemeSwitch } from '~/ui/ThemeSwitch'
import { headerLinks } from './Footer.tsx'

/**
 * Shows the header of public pages (requirements §2). Where its links do not fit in French, they are in a menu: a <details>,
 * which opens without scripts and is closed by the inline head script. The bar stays in view, unless the screen is so low
 * (or so enlarged) that it would cover the text.
 */
export function Header() {
  return (
    <header className="relative z-20 border-b border-line bg-paper/92 backdrop-blur-md [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0 print:static print:mb-8">
      <div className="mx-auto flex min-h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <SiteLink
          to={paths.home()}
          className="mr-auto flex rounded-lg py-2 no-underline! min-[72rem]:mr-6"
          aria-label={m.logo_label({ product: PRODUCT })}
        >
          <Logo />
        </SiteLink>
        <nav aria-label={m.nav_main()} className="mr-auto hidden gap-1 min-[72rem]:flex print:hidden">
          <SiteLinks />
        </nav>
        <div className="hidden items-center gap-1 md:flex print:hidden">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <div className="hidden items-center gap-1 sm:flex print:hidden">
          <SessionLinks login="ghost" />
        </div>
        <details {...{ [MENU]: '' }} className="group min-[72rem]:hidden print:hidden">
          <summary className={buttonClass('ghost', 'icon')}>
            <Menu aria-hidden="true" className="size-6 group-open:hidden" />
            <X aria-hidden="true" className="hidden size-6 group-open:block" />
            <span className="sr-only">{m.nav_menu()}</span>
          </summary>
          <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto overscroll-contain border-b border-line bg-paper shadow-float">
            <div className="mx-auto grid max-w-6xl gap-4 px-4 py-5 sm:px-6">
              <nav aria-label={m.nav_main()} className="grid">
                <SiteLinks />
              </nav>
              <div className="flex gap-3 *:*:flex-1 sm:hidden">
                <SessionLinks login="secondary" />
              </div>
              <div className="flex justify-between border-t border-line pt-3 md:hidden">
                <LanguageSwitch />
                <ThemeSwitch />
              </div>
            </div>
          </div>
        </details>
      </div>
    </header>
  )
}

function SiteLinks() {
  return headerLinks.map(({ to, text }) => (
    <SiteLink key={to} to={to} className={buttonClass('ghost', 'md', 'justify-start! px-3! font-semibold!')}>
      {text()}
    </SiteLink>
  ))
}

/** Links to the log-in and the sign-up, alike in the menu, the log-in less prominent in the bar; or else to the dashboard. */
function SessionLinks({ login }: { login: 'ghost' | 'secondary' }) {
  return (
    <>
      <SignedOut>
        <ButtonLink to={paths.login()} variant={login}>
          {m.action_log_in()}
        </ButtonLink>
        <ButtonLink to={paths.signup()}>{m.action_sign_up()}</ButtonLink>
      </SignedOut>
      <SignedIn>
        <ButtonLink to={paths.dashboard()}>{m.nav_dashboard()}</ButtonLink>
      </SignedIn>
    </>
  )
}
