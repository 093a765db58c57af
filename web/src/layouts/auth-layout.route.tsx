import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { offerDrafts } from '~/auth/draft-handover'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { LanguageOffer, LanguageSwitch } from '~/ui/LanguageSwitch'
import { LegalLinks } from '~/ui/LegalLinks'
import { Logo } from '~/ui/Logo'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { SkipLink } from '~/ui/SkipLink'
import { ThemeSwitch } from '~/ui/ThemeSwitch'
import { Toasts } from '~/ui/Toasts'

/** Shows the pages for signing in and up: one narrow column and a slim footer. Each page has its own h1. */
export default function AuthLayout() {
  useEffect(offerDrafts, [])
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <LanguageOffer />
      <OfflineBanner />
      <header className="mx-auto flex min-h-16 w-full max-w-6xl flex-wrap items-center gap-1 px-4 sm:px-6">
        <Link
          to={paths.home()}
          className="mr-auto flex rounded-lg py-2"
          aria-label={m.logo_label({ product: PRODUCT })}
        >
          <Logo />
        </Link>
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-md flex-1 px-4 pt-6 pb-22 sm:pt-12">
        <Outlet />
      </main>
      {/* above the links at the end of the page */}
      <Toasts className="mx-auto max-w-md px-4" />
      <footer className="border-t border-line px-4 py-2 sm:px-6">
        <LegalLinks className="mx-auto max-w-6xl justify-center gap-x-6" />
      </footer>
    </div>
  )
}
