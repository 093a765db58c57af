import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { WindshieldTagPage } from './WindshieldTagPage.tsx'

export const meta = () => privatePageMeta(m.windshield_title())

export default WindshieldTagPage
