import { paths } from '#contract/paths.ts'
import { m } from '#texts/messages.js'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'
import { makeUndoLink, undoBlocks } from './account-link-mail.ts'

// The emails that tell the person of an account what was done with it, perhaps by somebody else.

type NoticeKind = 'password_changed' | 'factor_changed' | 'session_stolen' | 'sign_in_failures' | 'new_sign_in'

/**
 * What happened to a password or a second step. Whoever runs the server makes a password `reset` that somebody else knows, and second
 * steps `lost` that a person has lost.
 */
type Change = 'changed' | 'reset' | 'added' | 'removed' | 'lost'
type Notice = Change | 'session_stolen' | 'sign_in_failures' | 'new_sign_in'

/** What each says, and how it ends: with a link that undoes what happened, and what else `undone` names; or with the way to a new password. */
const NOTICES = {
  changed: {
    subject: m.mail_password_changed_subject,
    preheader: m.mail_act_now,
    heading: m.mail_password_changed_heading,
    paragraphs: [m.mail_password_changed_text, m.mail_password_changed_signed_out, m.mail_if_it_was_you],
    reason: m.mail_password_changed_reason,
    undone: [],
  },
  reset: {
    subject: m.mail_password_reset_subject,
    preheader: m.mail_password_reset_preheader,
    heading: m.mail_password_reset_heading,
    paragraphs: [
      m.mail_password_reset_text,
      m.mail_password_reset_signed_out,
      m.mail_password_reset_next,
      m.mail_password_reset_elsewhere,
    ],
    reason: m.mail_password_reset_reason,
    undone: null,
  },
  added: {
    subject: m.mail_factor_added_subject,
    preheader: m.mail_act_now,
    heading: m.mail_factor_added_heading,
    paragraphs: [m.mail_factor_added_text, m.mail_factor_added_from_now_on],
    reason: m.mail_factor_reason,
    undone: [],
  },
  removed: {
    subject: m.mail_factor_removed_subject,
    preheader: m.mail_act_now,
    heading: m.mail_factor_removed_heading,
    paragraphs: [m.mail_factor_removed_text, m.mail_factor_removed_from_now_on],
    reason: m.mail_factor_reason,
    undone: [m.mail_factor_removed_undone],
  },
  lost: {
    subject: m.mail_factors_lost_subject,
    preheader: m.mail_factors_lost_preheader,
    heading: m.mail_factors_lost_heading,
    paragraphs: [m.mail_factors_lost_text, m.mail_factors_lost_next, m.mail_factors_lost_not_yours],
    reason: m.mail_factor_reason,
    undone: null,
  },
  session_stolen: {
    subject: m.mail_session_stolen_subject,
    preheader: m.mail_session_stolen_preheader,
    heading: m.mail_session_stolen_heading,
    paragraphs: [m.mail_session_stolen_text, m.mail_session_stolen_log_in, m.mail_session_stolen_lost],
    reason: m.mail_session_stolen_reason,
    undone: null,
  },
  sign_in_failures: {
    subject: m.mail_sign_in_failures_subject,
    preheader: m.mail_sign_in_failures_preheader,
    heading: m.mail_sign_in_failures_heading,
    paragraphs: [
      m.mail_sign_in_failures_text,
      m.mail_sign_in_failures_none,
      m.mail_sign_in_failures_yours,
      m.mail_sign_in_failures_not_yours,
    ],
    reason: m.mail_sign_in_failures_reason,
    undone: null,
  },
  new_sign_in: {
    subject: m.mail_new_sign_in_subject,
    preheader: m.mail_act_now,
    heading: m.mail_new_sign_in_heading,
    paragraphs: [m.mail_new_sign_in_text, m.mail_if_it_was_you],
    reason: m.mail_new_sign_in_reason,
    undone: [],
  },
}

/** Queues a notice, in the transaction of what it is about; each has its own. After the commit: `outbox.wake()`. */
export const queueNotice = (
  tx: Db,
  userId: string,
  kind: NoticeKind,
  data: { change?: Change; device?: string } = {},
  refId = newId(),
): Promise<void> => queueMail(tx, { kind, refId, recipientId: userId, data: { ...data, at: new Date().toISOString() } })

/** Renders a notice. Its button leads to a page; opening it changes nothing. */
export const renderNotice: RenderMail = async (context, mail) => {
  const { at = '', device, change = mail.kind } = mail.data
  const { paragraphs, undone, ...shown } = NOTICES[change as Notice]
  const undo = undone && (await makeUndoLink(context, mail))
  return writeMail(
    {
      when: formatMailTime(at, mail.locale),
      place: device === undefined ? '' : ` (${device})`,
      until: undo?.until ?? '',
    },
    {
      ...shown,
      blocks: [
        ...paragraphs,
        ...(undo && undone
          ? undoBlocks(undo, undone)
          : [{ button: m.mail_choose_password, to: paths.forgotPassword() }]),
      ],
    },
  )
}
