import { publicPageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import type { Route } from './+types/contact.route'
import { ContactPage } from './ContactPage.tsx'

export const meta: Route.MetaFunction = ({ location }) =>
  publicPageMeta(location, { title: m.contact_title(), description: m.contact_description() })

export default ContactPage
