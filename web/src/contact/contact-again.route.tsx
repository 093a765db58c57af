import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n'
import { publicMeta } from '~/lib/page-meta'
import type { RouteHandle } from '~/lib/route-handle'
import { m } from '~/paraglide/messages'
import { ContactAgainPage } from './ContactAgainPage.tsx'

export const handle: RouteHandle = { static: true, address: paths.contact() }

// a screen reader begins with the title, which therefore says what happened
export const meta = () =>
  publicMeta(
    { pathname: href(paths.contact()) },
    { title: m.contact_again_title(), description: m.contact_description(), listed: false },
  )

export default ContactAgainPage
