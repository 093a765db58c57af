import { listContact } from '#contract/contact-desk.ts'
import { urlOf } from '~/lib/http/api'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { ContactDeskPage } from './ContactDeskPage.tsx'
import { contactQuery } from './queries.ts'

const FIRST = urlOf(listContact, { state: 'open' })

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(contactQuery('open')))

export const meta = () => privatePageMeta(m.admin_contact_title())

export default function ContactDesk() {
  return <ContactDeskPage />
}
