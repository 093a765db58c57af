import { Outlet } from 'react-router'
import { ArrivalNotice } from './ArrivalNotice.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { SkipLink } from './SkipLink.tsx'

/** Public pages of text. They may be written without scripts: nothing in here needs one. */
export default function PublicLayout() {
  return (
    <>
      <SkipLink />
      <Header />
      <ArrivalNotice />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  )
}
