import { Outlet } from 'react-router'
import { FLASH_MESSAGE } from '~/lib/page/inline-head-attributes'
import { LanguageOffer } from '~/ui/LanguageSwitch'
import { SkipLink } from '~/ui/SkipLink'
import { Toasts } from '~/ui/Toasts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'

/** Shows public pages of text. They may be prerendered without scripts, so nothing here may need one. */
export default function PublicLayout() {
  return (
    <>
      <SkipLink />
      <LanguageOffer />
      <Header />
      <FlashMessage />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Toasts className="mx-auto max-w-6xl px-4 sm:px-6" />
      <Footer />
    </>
  )
}

/** Shows what happened just before this page was loaded (lib/session/flash-message.ts); the inline head script fills it. */
function FlashMessage() {
  return (
    <p
      role="status"
      {...{ [FLASH_MESSAGE]: '' }}
      className="border-b border-good/25 bg-good-soft px-4 py-3 text-center font-bold text-good empty:hidden"
    />
  )
}
