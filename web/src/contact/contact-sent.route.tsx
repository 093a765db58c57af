import { publicPageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/contact-sent.route'
import { ContactSentPage } from './ContactSentPage.tsx'

export const handle: RouteHandle = { static: true }

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_sent_title(), description: m.contact_sent_description(), indexed: false })

export default ContactSentPage
