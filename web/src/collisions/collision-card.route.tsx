import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { CollisionCardPage } from './CollisionCardPage.tsx'

export const meta = () => privatePageMeta(m.collision_page_title())

export default CollisionCardPage
