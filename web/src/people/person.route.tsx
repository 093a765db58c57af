import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { PersonPage } from './PersonPage.tsx'

export const meta = () => privatePageMeta(m.person_title())

export default function Person() {
  return <PersonPage />
}
