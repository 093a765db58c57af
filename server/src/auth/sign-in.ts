import { timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { markReachable } from '../email/returned-mails.ts'
import { hashSecret } from '../encryption/secrets.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { queueNotice } from './account-notices.ts'
import type { AuthContext } from './context.ts'
import { fail } from './errors.ts'
import { beginSignIn } from './limits.ts'
import { CODE_TTL_S, hashAddress, hashCode } from './link-mail.ts'
import {
  deleteUnusedSession,
  findLink,
  findLinkRequest,
  findSignUps,
  type LinkRow,
  revokeLinks,
  takeCode,
  tryCode,
} from './link-queries.ts'
import type { ClientInfo } from './session-queries.ts'
import { createSession, type IssuedSession, spendLink } from './sessions.ts'
import { recordSignUpConsent } from './sign-up.ts'
import { confirmUser, findUserForSignIn, lockUser, setPasswordHash, type UserRow } from './user-queries.ts'

// Signing in: with a password, with the link of an email, or with its code.

/**
 * Signs in with a password. An unknown address, a wrong password and an account without one fail in the same way, after the
 * same work; only a caller who knows the password learns that the address is unconfirmed. When many attempts fail,
 * the owner is notified by email; with too many from one network that network waits (see `beginSignIn`).
 *
 * @param ip of the caller
 */
export async function signIn(
  auth: AuthContext,
  ip: string,
  email: string,
  password: string,
  clientInfo: ClientInfo,
): Promise<IssuedSession> {
  const { db, keyring, passwords, outbox } = auth
  const attempt = await beginSignIn(auth, ip, email)
  const user = await findUserForSignIn(db, email)
  const isConfirmed = user !== undefined && user.email_confirmed_at !== null
  const storedHash = isConfirmed ? user.encrypted_password : user?.waiting_password
  const isCorrect = await passwords.verify(storedHash, password, attempt.isFromKnownNetwork)
  if (!user || !storedHash || !isCorrect) {
    if ((await attempt.failed()) && user && isConfirmed) {
      await queueNotice(db, user.id, 'sign_in_failures')
      outbox.wake()
    }
    fail('invalid_credentials')
  }
  if (!isConfirmed) fail('email_not_confirmed')
  const session = await inTransaction(db, (tx) =>
    createSession(tx, keyring, { userId: user.id, method: 'password', clientInfo, passwordHash: storedHash }),
  )
  if (!session) fail('invalid_credentials') // the password was changed while it was verified
  await attempt.succeeded()
  if (passwords.isOutdated(storedHash)) {
    await setPasswordHash(db, user.id, storedHash, await passwords.hash(password))
  }
  return session
}

type VerifiedLink = { session: IssuedSession; link: LinkRow }

/** The purposes that each `type` of the protocol allows; none for types whose links we do not send. */
const PURPOSES_BY_TYPE: Record<string, LinkRow['purpose'][]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  recovery: ['recovery'],
  email: ['signup', 'magiclink'],
  invite: [],
  email_change: [],
}

/** Returns whether a text is one of GoTrue's types of links. */
export const isLinkType = (type: string): boolean => Object.hasOwn(PURPOSES_BY_TYPE, type)

/** Returns the types of links that begin with a text: all where a mail program broke a link before its type, over two lines. */
export const completeLinkType = (begun: string): string[] =>
  Object.keys(PURPOSES_BY_TYPE).filter((type) => type.startsWith(begun))

/**
 * Creates a session by a link.
 *
 * A link that is opened (`consume` is false) may have been opened by a scanner: nothing changes until the session is
 * used (see `spendLink`), and opening it again replaces the unused session.
 *
 * An app that posts the link's token (`consume` is true) spends it now, with the password of its own sign-up: no scanner
 * does that (decision mailed-links).
 *
 * @throws AuthError `otp_expired`
 */
export async function verifyLink(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  token: string,
  types: string[],
  clientInfo: ClientInfo,
  consume: boolean,
): Promise<VerifiedLink> {
  const hash = hashSecret(token)
  const opened = await inTransaction(db, async (tx): Promise<VerifiedLink | null> => {
    const found = await findLink(tx, hash)
    const user = found && (await lockUser(tx, found.user_id))
    // again, under the lock: of two who use one link at the same moment the second finds none
    const link = user && (await findLink(tx, hash, 'lock'))
    if (!link || !types.some((type) => PURPOSES_BY_TYPE[type]?.includes(link.purpose))) return null
    await deleteUnusedSession(tx, link.request_id)
    if (consume) {
      if (user.email_confirmed_at === null) await confirmWithSignUp(tx, user, link)
      await revokeLinks(tx, user.id)
      await markReachable(tx, user.id)
    }
    const session = await createSession(tx, keyring, {
      userId: user.id,
      method: 'otp',
      clientInfo,
      ...(!consume && { linkRequestId: link.request_id }),
    })
    return session ? { session, link } : null
  })
  return opened ?? fail('otp_expired')
}

/** Confirms a mailbox, with what belongs to the link's own sign-up; by a link of no sign-up, without a password. */
async function confirmWithSignUp(tx: Db, user: UserRow, link: LinkRow): Promise<void> {
  const signUp = (await findSignUps(tx, user.id)).find(({ id }) => id === link.sign_up_id)
  await confirmUser(tx, user.id, signUp?.encrypted_password ?? null, signUp?.user_metadata ?? user.user_metadata)
  if (signUp) await recordSignUpConsent(tx, user.id, signUp)
}

/**
 * Signs in with the code of an email, which uses up its link too (see `spendLink`). A code that is wrong, over, or of no account is
 * refused after the same work. A try is counted before it is judged, so that many at one moment are not judged for free.
 *
 * @throws AuthError `otp_expired`
 */
export async function verifyCode(
  { config, db, keyring }: Pick<AppContext, 'config' | 'db' | 'keyring'>,
  email: string,
  code: string,
  clientInfo: ClientInfo,
): Promise<IssuedSession> {
  const addressHash = hashAddress(keyring, email)
  const { code_hash, request_id, tries } = await tryCode(db, addressHash, CODE_TTL_S)
  const given = hashCode(keyring, request_id ?? 'none', code)
  const isRight = timingSafeEqual(given, code_hash ?? Buffer.alloc(given.length))
  if (request_id === null || !isRight || tries > scaleLimit(LIMITS.emailedCodeTries.max, config)) return failWrongCode()
  const session = await inTransaction(db, async (tx) => {
    const request = await findLinkRequest(tx, request_id)
    const user = request && (await lockUser(tx, request.user_id))
    // only now, under the lock: of two who type one code at the same moment the second finds none
    if (!user || !(await takeCode(tx, addressHash, given))) return null
    const created = await createSession(tx, keyring, {
      userId: user.id,
      method: 'otp',
      clientInfo,
      linkRequestId: request_id,
    })
    return created && { ...created, user: await spendLink({ keyring }, tx, user, created.id) }
  })
  return session ?? failWrongCode()
}

const failWrongCode = (): never => fail('otp_expired', { message: 'Token has expired or is invalid' })
