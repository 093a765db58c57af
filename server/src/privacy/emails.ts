import type { OPENING_ACTIONS } from '#contract/admin.ts'
import { paths } from '#contract/paths.ts'
import { LANGUAGE_TAGS, PRODUCT, TIME_ZONE } from '#contract/product.ts'
import { reasonAssociatedData } from '../audit/record-action.ts'
import { defang } from '../email/defang.ts'
import type { MailBlock, RenderMailWithoutAccount } from '../email/mail-content.ts'
import { decryptForDisplay } from '../encryption/decrypt-for-display.ts'
import { findOpeningList, findOpenings, type OpeningRow } from './opening-queries.ts'

/** More than a team opens in a week; the audit log has the rest. */
const MAX_LISTED = 1_000
const UNREADABLE = { en: 'This purpose cannot be shown.', 'fr-CA': 'Ce motif ne peut pas être affiché.' }

const OPENED: Record<(typeof OPENING_ACTIONS)[number], string> = {
  report_opened: 'Report',
  appeal_opened: 'Appeal',
  contact_opened: 'Contact message',
  document_opened: 'Document of a dispute',
}

const formatDay = (at: Date) =>
  new Intl.DateTimeFormat(LANGUAGE_TAGS.en, { dateStyle: 'long', timeZone: TIME_ZONE }).format(at)
const formatTime = (at: string) =>
  new Intl.DateTimeFormat(LANGUAGE_TAGS.en, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: TIME_ZONE,
  }).format(new Date(at))

/**
 * Renders the mail kind `opening_list`: who opened what in a week and what for, without anything of what was opened. Sent
 * even when nothing was: silence could mean that nobody looks, or that the list is broken.
 */
export const renderOpeningList: RenderMailWithoutAccount = async ({ config, db, keyring, log }, { refId }) => {
  const period = await findOpeningList(db, refId)
  if (!period) return null
  const openings = await findOpenings(db, period, MAX_LISTED + 1)
  const decryptContext = { keyring, log, locale: 'en' } as const
  const toLine = ({ id, at, action, subject, subject_id, reason_encrypted }: OpeningRow) => {
    const purpose =
      reason_encrypted && decryptForDisplay(decryptContext, reasonAssociatedData(id), reason_encrypted, UNREADABLE)
    const what = `${OPENED[action as keyof typeof OPENED]} ${subject_id} (${subject})`
    // a document is opened to decide its dispute: nobody is asked what for
    if (action === 'document_opened') return `${formatTime(at)}: ${what}`
    return `${formatTime(at)}: ${what}. Purpose: ${defang(purpose ?? 'none given')}`
  }
  const lastDay = new Date(Date.parse(period.ends_at) - 1)
  const days = `${formatDay(new Date(period.starts_at))} to ${formatDay(lastDay)}`
  const byAdmin = Map.groupBy(openings.slice(0, MAX_LISTED), ({ actor_email }) => actor_email)
  const lists = [...byAdmin].flatMap(([admin, rows]): MailBlock[] => [
    { kind: 'text', text: `${admin} (${rows.length})` },
    { kind: 'list', items: rows.map(toLine) },
  ])
  return {
    to: config.PRIVACY_EMAIL ?? config.SUPPORT_EMAIL,
    locale: 'en',
    subject: `Opened by admins, ${days}`,
    preheader: openings.length === 0 ? 'Nothing was opened.' : 'Who opened what, and what for.',
    heading: `What admins opened, ${days}`,
    blocks: [
      ...(openings.length === 0
        ? [{ kind: 'text' as const, text: 'Nobody opened a report, an appeal or a contact message.' }]
        : lists),
      ...(openings.length > MAX_LISTED
        ? [
            {
              kind: 'text' as const,
              text: `Only the first ${MAX_LISTED} are listed here. The audit log has all of them.`,
            },
          ]
        : []),
      { kind: 'button', label: 'Open the audit log', url: config.PUBLIC_URL + paths.adminAuditLog() },
      {
        kind: 'note',
        text: 'Each opening has its entry in the audit log. A purpose that does not fit what was opened is worth a question.',
      },
    ],
    reason: `This address gets the weekly list of ${PRODUCT} as the contact of its privacy officer.`,
  }
}
