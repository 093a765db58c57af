import { ChevronDown, Languages } from 'lucide-react'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { GUEST_LANGUAGE_FACTS, GUEST_LANGUAGES, type GuestLanguage } from '#contract/guest-languages.ts'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { LegalLinks } from '~/ui/LegalLinks'
import { Logo } from '~/ui/Logo'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { SkipLink } from '~/ui/SkipLink'
import { ThemeSwitch } from '~/ui/ThemeSwitch'
import { Toasts } from '~/ui/Toasts'
import {
  chooseGuestLanguage,
  GUEST_FORM_ID,
  languageAttributes,
  startGuestLanguage,
  useGuest,
} from './guest-language.ts'

/**
 * Shows the pages for people at a vehicle who have no account: one narrow column, in one of ten languages. What is
 * around it (home, legal pages) is in the language of the page.
 */
export default function GuestLayout() {
  const { language } = useGuest()
  useEffect(() => void startGuestLanguage(), [])
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <OfflineBanner />
      <header className="mx-auto flex min-h-16 w-full max-w-6xl flex-wrap items-center gap-1 px-4 sm:px-6 print:hidden">
        <Link
          to={paths.home()}
          className="mr-auto flex shrink-0 rounded-lg py-2"
          aria-label={m.logo_label({ product: PRODUCT })}
        >
          <Logo />
        </Link>
        <GuestLanguageSelect />
        <ThemeSwitch />
      </header>
      <main
        id="content"
        tabIndex={-1}
        {...languageAttributes(language)}
        className="mx-auto w-full max-w-md flex-1 px-4 pt-4 pb-22 sm:pt-10"
      >
        <Outlet />
      </main>
      <Toasts className="mx-auto max-w-md px-4" />
      <footer className="border-t border-line px-4 py-2 sm:px-6 print:hidden">
        <LegalLinks className="mx-auto max-w-6xl justify-center gap-x-6" />
      </footer>
    </div>
  )
}

/** Lets a guest choose one of the ten languages, each by its own name. */
function GuestLanguageSelect() {
  const { language, texts } = useGuest()
  return (
    <div className="relative min-w-0">
      <Languages
        aria-hidden="true"
        className="pointer-events-none absolute start-3 top-1/2 size-5 -translate-y-1/2 text-ink-soft"
      />
      <select
        name="language"
        form={GUEST_FORM_ID}
        aria-label={texts.common.language}
        value={language}
        onChange={(event) => void chooseGuestLanguage(event.target.value as GuestLanguage)}
        className="control w-auto! max-w-full appearance-none text-ellipsis py-2! ps-10! pe-9! font-semibold"
      >
        {GUEST_LANGUAGES.map((one) => (
          <option key={one} value={one} {...languageAttributes(one)}>
            {GUEST_LANGUAGE_FACTS[one].name}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft"
      />
    </div>
  )
}
