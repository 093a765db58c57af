import { EMAIL_CHANGE_HOURS, UNDO_DAYS } from '#contract/email-change.ts'
import { m } from '#texts/messages.js'
import { type MailContent, type RenderMail, type RenderMailWithoutAccount, writeMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { namedAddress } from '../email/shown-address.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { getMailLocale } from '../preferences/queries.ts'
import { makeConfirmLink, makeUndoLink, undoBlocks } from './account-link-mail.ts'
import { findEmailChangeById, findFormerAddress } from './email-change-queries.ts'
import { isMailboxClosed } from './mailbox.ts'
import { isEmailConfirmed } from './user-queries.ts'

/** Renders the email to the present mailbox, of which the account may be in somebody else's hands; its ref is the change. */
export const renderEmailChangeCurrent: RenderMail = async (context, mail) => {
  const change = await findEmailChangeById(context.db, mail.refId)
  if (!change || change.current_confirmed_at) return null
  const confirmPage = await makeConfirmLink(context, 'confirm_current', mail.refId)
  if (confirmPage === null) return null
  const undo = await makeUndoLink(context, mail, true)
  return writeMail(
    { address: namedAddress(change.new_email), hours: EMAIL_CHANGE_HOURS, until: undo.until },
    {
      subject: m.mail_change_current_subject,
      preheader: m.mail_change_current_preheader,
      heading: m.mail_change_current_heading,
      blocks: [
        m.mail_change_current_text,
        { button: m.account_link_confirm, to: confirmPage },
        { note: [m.mail_change_link, m.mail_change_current_ignore] },
        ...undoBlocks(undo, [m.mail_change_current_undone]),
      ],
      reason: m.mail_change_current_reason,
    },
  )
}

/** The email to the address that is asked for. It may be a stranger's: it says nothing about the account. */
const confirmNewMail = (confirmPage: string): MailContent =>
  writeMail(
    { hours: EMAIL_CHANGE_HOURS },
    {
      subject: m.mail_change_new_subject,
      preheader: m.mail_change_new_preheader,
      heading: m.mail_change_new_heading,
      blocks: [
        m.mail_change_new_text,
        { button: m.mail_change_new_confirm, to: confirmPage },
        { note: [m.mail_change_link, m.mail_change_new_ignore] },
      ],
      reason: m.mail_change_new_reason,
    },
  )

/** The same email where the address cannot be an account's: only the reader of the mailbox learns it. */
const UNAVAILABLE_MAIL = writeMail(
  {},
  {
    subject: m.mail_change_unavailable_subject,
    preheader: m.mail_change_unavailable_preheader,
    heading: m.mail_change_unavailable_heading,
    blocks: [m.mail_change_unavailable_text, m.mail_change_unavailable_next],
    reason: m.mail_change_new_reason,
  },
)

/** Renders the email to the address that is asked for; its ref is the change. Only here is looked up whether it has an account. */
export const renderEmailChangeNew: RenderMailWithoutAccount = async (context, { refId }) => {
  const { db, keyring } = context
  const change = await findEmailChangeById(db, refId)
  if (!change || change.new_confirmed_at) return null
  const locale = await getMailLocale(db, change.user_id)
  const to = change.new_email
  if ((await isEmailConfirmed(db, to)) || (await isMailboxClosed(db, hashPerson(keyring, to)))) {
    return { ...UNAVAILABLE_MAIL, to, locale }
  }
  const confirmPage = await makeConfirmLink(context, 'confirm_new', refId)
  return confirmPage === null ? null : { ...confirmNewMail(confirmPage), to, locale }
}

/** Renders the notice to the former mailbox, from which the change can be undone; its ref is the former address. */
export const renderEmailChanged: RenderMailWithoutAccount = async (context, { id, refId }) => {
  const former = await findFormerAddress(context.db, refId)
  if (!former) return null
  const locale = await getMailLocale(context.db, former.user_id)
  const undo = await makeUndoLink(context, { id, recipientId: former.user_id, locale }, true)
  const content = writeMail(
    { when: formatMailTime(former.changed_at, locale), days: UNDO_DAYS, until: undo.until },
    {
      subject: m.mail_changed_subject,
      preheader: m.mail_changed_preheader,
      heading: m.mail_changed_heading,
      blocks: [m.mail_changed_text, m.mail_if_it_was_you, ...undoBlocks(undo, [m.mail_changed_undone])],
      reason: m.mail_changed_reason,
    },
  )
  return { ...content, to: former.email, locale }
}
