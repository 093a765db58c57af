import { privatePageMeta } from '~/lib/page/page-meta'
import { m } from '~/paraglide/messages'
import { ReceiptPage } from './ReceiptPage.tsx'

export const meta = () => privatePageMeta(m.receipt_title())

export default ReceiptPage
