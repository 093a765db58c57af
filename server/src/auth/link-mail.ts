import { randomInt } from 'node:crypto'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { Config } from '../config.ts'
import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { type RenderMail, writeMail } from '../email/mail-content.ts'
import { formatMailTime } from '../email/mail-time.ts'
import { queueMail } from '../email/outbox.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { generateSecret, hashSecret } from '../encryption/secrets.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'
import { makeUndoLink, undoBlocks } from './account-link-mail.ts'
import { findYoungFactorTime } from './factor-queries.ts'
import { findLinkRequest, insertLinkToken, type LinkPurpose, replaceCode, replaceLinkRequest } from './link-queries.ts'

/** How long a code works; the link beside it works longer, as it cannot be guessed. */
export const CODE_TTL_S = 10 * MINUTE_S
const SIGN_UP_LINK_S = DAY_S
/** A link that signs in, or lets a new password be chosen. */
const OTHER_LINK_S = 15 * MINUTE_S

/** Formats a duration: "15 minutes", "24 hours". */
function formatDuration(seconds: number, locale: Locale): string {
  const inHours = seconds >= HOUR_S && seconds % HOUR_S === 0
  return inHours
    ? m.mail_hours({ count: seconds / HOUR_S }, { locale })
    : m.mail_minutes({ count: Math.round(seconds / MINUTE_S) }, { locale })
}

/** What each email says. Nothing in it comes from the person who requested the email, who may be a stranger. */
const MAILS = {
  signup: {
    subject: m.mail_code_subject,
    preheader: m.mail_sign_up_preheader,
    heading: m.mail_sign_up_heading,
    text: m.mail_sign_up_text,
    button: m.mail_sign_up_button,
    note: [m.mail_code_note, m.mail_sign_up_ignore],
    reason: m.mail_sign_up_reason,
  },
  magiclink: {
    subject: m.mail_code_subject,
    preheader: m.mail_code_preheader,
    heading: m.mail_code_heading,
    text: m.mail_code_text,
    button: m.mail_code_button,
    note: [m.mail_code_note, m.mail_code_ignore],
    reason: m.mail_code_reason,
  },
  recovery: {
    subject: m.mail_recovery_subject,
    preheader: m.mail_recovery_preheader,
    heading: m.mail_recovery_heading,
    text: m.mail_recovery_text,
    button: m.mail_choose_password,
    note: m.mail_recovery_note,
    reason: m.mail_recovery_reason,
  },
}

/** Returns the page a link of this purpose leads to when the request names none, or one that is not allowed. */
export const getDefaultRedirect = (
  purpose: LinkPurpose,
  locale: Locale,
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
): string => PUBLIC_URL + localizedPath(purpose === 'recovery' ? paths.resetPassword() : paths.verifyEmail(), locale)

/** Queues an email with a link, in a transaction that has locked the account. After the commit: `outbox.wake()`. */
export async function queueLinkMail(
  tx: Db,
  userId: string,
  purpose: LinkPurpose,
  signUpId: string | null,
  redirectTo: string,
) {
  const id = newId()
  await replaceLinkRequest(tx, { id, user_id: userId, purpose, sign_up_id: signUpId, redirect_to: redirectTo })
  await queueMail(tx, { kind: 'auth_link', refId: id, recipientId: userId })
}

export const hashAddress = (keyring: Keyring, email: string): Buffer => keyedHash(keyring, 'code address', email)
export const hashCode = (keyring: Keyring, requestId: string, code: string): Buffer =>
  keyedHash(keyring, 'code', `${requestId} ${code}`)

/**
 * Generates the six digits for an email that is about to be sent, in place of any older ones of the address. Only their keyed
 * hash is stored.
 */
async function generateCode(db: Db, keyring: Keyring, { id, email }: { id: string; email: string }): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await replaceCode(db, hashAddress(keyring, email), hashCode(keyring, id, code), id, CODE_TTL_S)
  return code
}

/**
 * Renders the email with a link, and with a code for who signs in. Both are generated here, just before the email is sent, and
 * only hashes are stored: neither the queue nor a backup can sign anybody in. A retry generates others; using either link consumes
 * both, and only the newest code works. It is first in the subject, where a phone shows it without opening the mail.
 */
export const renderAuthLink: RenderMail = async (context, mail) => {
  const { config, db, keyring } = context
  const { locale } = mail
  const request = await findLinkRequest(db, mail.refId)
  if (!request) return null
  const { purpose, redirect_to, sign_up_count } = request
  const ttlS = purpose === 'signup' ? SIGN_UP_LINK_S : OTHER_LINK_S
  const token = generateSecret()
  if (!(await insertLinkToken(db, hashSecret(token), request.id, ttlS))) return null
  const code = purpose === 'recovery' ? null : await generateCode(db, keyring, request)
  const query = new URLSearchParams({ token, type: purpose, redirect_to })
  const { text, button, note, ...shown } = MAILS[purpose]
  // while the account has a second step that its mailbox can still remove
  const factorAddedAt = purpose === 'recovery' ? await findYoungFactorTime(db, mail.recipientId) : undefined
  const undo = factorAddedAt === undefined ? null : await makeUndoLink(context, mail)
  return writeMail(
    {
      code: code ?? '',
      code_time: formatDuration(CODE_TTL_S, locale),
      link_time: formatDuration(ttlS, locale),
      when: factorAddedAt === undefined ? '' : formatMailTime(factorAddedAt, locale),
      until: undo?.until ?? '',
    },
    {
      ...shown,
      blocks: [
        code !== null && { code },
        text,
        // some of the sign-ups may be a stranger's (decision mailed-links)
        purpose === 'signup' && sign_up_count > 1 && m.mail_sign_up_several,
        { button, to: `${config.PUBLIC_URL}/auth/v1/verify?${query.toString()}` },
        { note },
        ...(undo ? [m.mail_recovery_factor, ...undoBlocks(undo, [])] : []),
      ],
    },
  )
}
