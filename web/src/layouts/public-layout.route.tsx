import { Outlet } from 'react-router'
import { SkipLink } from '../ui/SkipLink.tsx'
import { FlashMessage } from './FlashMessage.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'

/** Public pages of text. They may be written without scripts: nothing in here needs one. */
export default function PublicLayout() {
  return (
    <>
      <SkipLink />
      <Header />
      <FlashMessage />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  )
}
