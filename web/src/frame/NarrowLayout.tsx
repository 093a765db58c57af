import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { PRODUCT } from '#contract/product.ts'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { LegalLinks, type LegalWords } from '~/ui/LegalLinks'
import { Logo } from '~/ui/Logo'
import { OfflineBanner } from '~/ui/OfflineBanner'
import { SkipLink } from '~/ui/SkipLink'
import { ThemeSwitch } from '~/ui/ThemeSwitch'
import { Toasts } from '~/ui/Toasts'

type Props = ComponentProps<'main'> & {
  /** Shown at the top of the page. */
  offer?: ReactNode
  /** Chooses the language, in the header. */
  languages: ReactNode
  legalWords?: LegalWords
}

/** Shows a page as one narrow column between a header and a slim footer; the page has its own h1. */
export function NarrowLayout({ offer, languages, legalWords, className, dir, ...main }: Props) {
  return (
    <div dir={dir} className="flex min-h-dvh flex-col">
      <SkipLink />
      {offer}
      <OfflineBanner />
      <header className="mx-auto flex min-h-16 w-full max-w-6xl flex-wrap items-center gap-1 px-4 sm:px-6 print:hidden">
        <Link
          to={paths.home()}
          className="me-auto flex shrink-0 rounded-lg py-2"
          aria-label={m.logo_label({ product: PRODUCT })}
        >
          <Logo />
        </Link>
        {languages}
        <ThemeSwitch />
      </header>
      <main
        {...main}
        id="content"
        tabIndex={-1}
        className={clsx('mx-auto w-full max-w-md flex-1 px-4 pb-22', className)}
      />
      {/* above the links at the end of the page */}
      <Toasts className="mx-auto max-w-md px-4" />
      <footer className="border-t border-line px-4 py-2 sm:px-6 print:hidden">
        <LegalLinks words={legalWords} className="mx-auto max-w-6xl justify-center gap-x-6" />
      </footer>
    </div>
  )
}
