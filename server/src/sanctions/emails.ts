import { paths } from '#contract/paths.ts'
import { APPEAL_DAYS, isLasting, LIMITED_MESSAGES_PER_DAY } from '#contract/sanctions.ts'
import { m } from '#texts/messages.js'
import { type MailContent, type RenderMail, writeMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { generateSecret, hashSecret } from '../encryption/secrets.ts'
import { findAppeal, findOwnSanction, insertAppealToken } from './queries.ts'
import { decryptSanctionText } from './sanction-encryption.ts'

const SANCTIONS = {
  warn: {
    subject: m.mail_sanction_warn_subject,
    heading: m.mail_sanction_warn_heading,
    text: m.mail_sanction_warn_text,
  },
  limit: {
    subject: m.mail_sanction_limit_subject,
    heading: m.sanction_title_limit,
    text: m.mail_sanction_limit_text,
  },
  suspend: {
    subject: m.mail_sanction_suspend_subject,
    heading: m.sanction_title_suspend,
    text: m.mail_sanction_suspend_text,
  },
  delete_message: {
    subject: m.mail_sanction_delete_message_subject,
    heading: m.sanction_title_delete_message,
    text: m.mail_sanction_delete_message_text,
  },
}

/**
 * Renders the mail kind `sanction`; its ref is the entry of the audit log. The token of its link is generated here, just before
 * the email is sent, and only the hash is stored: neither the queue nor a backup can appeal.
 */
export const renderSanction: RenderMail = async ({ db, keyring }, { locale, data }) => {
  const sanction = await findOwnSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, kind, reason_encrypted, ends_at, appealable_until } = sanction
  const token = generateSecret()
  await insertAppealToken(db, hashSecret(token), id)
  const { text, ...shown } = SANCTIONS[kind]
  return writeMail(
    {
      count: LIMITED_MESSAGES_PER_DAY,
      end: ends_at === null ? '' : formatMailTime(ends_at, locale),
      until: formatMailTime(appealable_until, locale),
      days: APPEAL_DAYS,
    },
    {
      ...shown,
      preheader: m.mail_sanction_preheader,
      blocks: [
        text,
        isLasting(kind) && (ends_at === null ? m.sanction_no_end : m.mail_sanction_until),
        m.mail_sanction_person,
        ...(reason_encrypted
          ? [m.mail_reason, { quote: decryptSanctionText(keyring, 'reason', id, reason_encrypted) }]
          : [m.mail_sanction_no_reason]),
        m.mail_sanction_appeal,
        { button: m.mail_sanction_button, to: paths.appeal(token) },
        { note: m.mail_sanction_note },
      ],
      reason: m.mail_sanction_reason,
    },
  )
}

const OUTCOMES = {
  lifted: {
    subject: m.mail_sanction_lifted_subject,
    preheader: m.mail_sanction_lifted_preheader,
    heading: m.mail_sanction_lifted_heading,
    text: m.mail_sanction_lifted_text,
    reason: m.mail_sanction_reason,
  },
  appealUpheld: {
    subject: m.mail_appeal_upheld_subject,
    preheader: m.mail_appeal_preheader,
    heading: m.mail_appeal_upheld_heading,
    text: m.mail_appeal_upheld_text,
    reason: m.mail_appeal_reason,
  },
  appealLifted: {
    subject: m.mail_appeal_lifted_subject,
    preheader: m.mail_appeal_preheader,
    heading: m.mail_appeal_lifted_heading,
    text: m.mail_appeal_lifted_text,
    reason: m.mail_appeal_reason,
  },
}

/** Renders the mail kind `sanction_lifted`; its ref is the entry of the audit log. */
export const renderSanctionLifted: RenderMail = async ({ db, keyring }, { data }) => {
  const sanction = await findOwnSanction(db, data['sanction_id'] ?? '')
  if (!sanction) return null
  const { id, lift_reason_encrypted: encrypted } = sanction
  return outcomeMail('lifted', encrypted && decryptSanctionText(keyring, 'liftReason', id, encrypted))
}

/** Renders the mail kind `appeal_decided`; its ref is the entry of the audit log. */
export const renderAppealDecided: RenderMail = async ({ db, keyring }, { data }) => {
  const appeal = await findAppeal(db, data['appeal_id'] ?? '')
  const encrypted = appeal?.decision_reason_encrypted
  if (!encrypted || appeal.upheld === null) return null
  const reason = decryptSanctionText(keyring, 'decisionReason', appeal.id, encrypted)
  return outcomeMail(appeal.upheld ? 'appealUpheld' : 'appealLifted', reason)
}

function outcomeMail(outcome: keyof typeof OUTCOMES, why: string | null): MailContent {
  const { text, ...shown } = OUTCOMES[outcome]
  return writeMail(
    {},
    {
      ...shown,
      blocks: [
        text,
        ...(why === null ? [] : [m.mail_reason, { quote: why }]),
        { button: m.suspended_open, to: paths.dashboard() },
      ],
    },
  )
}
