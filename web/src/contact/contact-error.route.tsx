import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import { ContactErrorPage } from './ContactErrorPage.tsx'

export const handle: RouteHandle = { static: true, canonicalPath: paths.contact() }

// screen readers announce the title first, so it says what happened
export const meta = () =>
  publicPageMeta(
    { pathname: href(paths.contact()) },
    { title: m.contact_again_title(), description: m.contact_description(), indexed: false },
  )

export default ContactErrorPage
