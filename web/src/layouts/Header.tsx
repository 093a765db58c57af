import { Menu, X } from 'lucide-react'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { SignedIn, SignedOut } from '~/ui/BySession'
import { buttonClass } from '~/ui/button-class'
import { LanguageSwitch } from '~/ui/LanguageSwitch'
import { Logo } from '~/ui/Logo'
import { ThemeSwitch } from '~/ui/ThemeSwitch'
import { headerLinks } from './site-links.ts'

/** The head of public pages. The menu of small screens is a <details>, so that it opens without scripts. */
export function Header() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper/92 backdrop-blur-md">
      <div className="mx-auto flex min-h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <Link
          to={paths.home()}
          className="mr-auto flex rounded-lg py-2 lg:mr-8"
          aria-label={m.logo_label({ product: PRODUCT })}
        >
          <Logo />
        </Link>
        <nav aria-label={m.nav_main()} className="mr-auto hidden gap-1 lg:flex">
          <SiteLinks />
        </nav>
        <div className="hidden items-center gap-1 lg:flex">
          <LanguageSwitch />
          <ThemeSwitch />
          <SessionLinks />
        </div>
        <details className="group lg:hidden">
          <summary className={buttonClass('ghost', 'icon')}>
            <Menu aria-hidden="true" className="size-6 group-open:hidden" />
            <X aria-hidden="true" className="hidden size-6 group-open:block" />
            <span className="sr-only">{m.nav_menu()}</span>
          </summary>
          <div className="absolute inset-x-0 top-full grid gap-4 border-b border-line bg-paper px-4 py-5 shadow-float">
            <nav aria-label={m.nav_main()} className="grid">
              <SiteLinks />
            </nav>
            <div className="grid gap-3">
              <SessionLinks />
            </div>
            <div className="flex justify-between border-t border-line pt-3">
              <LanguageSwitch />
              <ThemeSwitch />
            </div>
          </div>
        </details>
      </div>
    </header>
  )
}

function SiteLinks() {
  return headerLinks.map(({ to, text }) => (
    <Link key={to} to={to} className={buttonClass('ghost', 'md', 'justify-start! px-3! font-semibold!')}>
      {text()}
    </Link>
  ))
}

function SessionLinks() {
  return (
    <>
      <SignedOut>
        <ButtonLink to={paths.login()} variant="ghost">
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
