import { paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { AppContext } from '../context.ts'
import type { MailText } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { generateSecret, hashSecret } from '../encryption/secrets.ts'
import { insertConfirmLink, insertUndoLink } from './account-link-queries.ts'

// The tokens of the links are generated here, just before the email is sent, and only their hashes are stored: neither the queue
// nor a backup can change anything. Each link leads to a page; opening it changes nothing.

/** Makes a link that confirms a change of address, as a page of `paths`; null when the change is over by now. */
export async function makeConfirmLink(
  { db }: Pick<AppContext, 'db'>,
  purpose: 'confirm_current' | 'confirm_new',
  changeId: string,
): Promise<string | null> {
  const token = generateSecret()
  const isMade = await insertConfirmLink(db, hashSecret(token), purpose, changeId)
  return isMade ? paths.accountLink('confirm', token) : null
}

type UndoLink = { to: string; until: string }

/**
 * Makes a link that undoes what somebody else may have done to an account (decision mailbox-keeps-the-account), and says until when it
 * works, in the reader's language. What it undoes begins with the time of the email. Only those of emails about the address give a
 * former one back.
 */
export async function makeUndoLink(
  { db }: Pick<AppContext, 'db'>,
  { id, recipientId, locale }: { id: string; recipientId: string; locale: Locale },
  isAboutAddress = false,
): Promise<UndoLink> {
  const token = generateSecret()
  const until = await insertUndoLink(db, hashSecret(token), recipientId, { id, isAboutAddress })
  return { to: paths.accountLink('undo', token), until: formatMailTime(until, locale) }
}

/**
 * Writes the end of an email with such a link; the email's inputs say `until` when it works.
 *
 * @param undone says what is undone besides what always is
 */
export const undoBlocks = ({ to }: UndoLink, undone: MailText<object>[]) => [
  [m.mail_undo_press, ...undone, m.mail_undo_what],
  { button: m.mail_undo_button, to },
  { note: m.mail_undo_note },
]
