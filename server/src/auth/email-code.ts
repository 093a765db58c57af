import { randomInt, timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { MINUTE_S } from '../time.ts'
import { createSession, type IssuedSession } from './create-session.ts'
import { fail } from './errors.ts'
import { findRequestOwner, replaceCode, takeCode, tryCode } from './link-queries.ts'
import type { ClientInfo } from './session-queries.ts'
import { spendLink } from './spend-link.ts'
import { lockUser } from './user-queries.ts'

/** How long a code works; the link beside it works longer, as it cannot be guessed. */
export const CODE_TTL_S = 10 * MINUTE_S

const hashAddress = (keyring: Keyring, email: string): Buffer => keyedHash(keyring, 'code address', email)
const hashCode = (keyring: Keyring, requestId: string, code: string): Buffer =>
  keyedHash(keyring, 'code', `${requestId} ${code}`)

/**
 * Generates the six digits for an email that is about to be sent, in place of any older ones of the address. Only their keyed
 * hash is stored.
 */
export async function generateCode(
  db: Db,
  keyring: Keyring,
  { id, email }: { id: string; email: string },
): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const [addressHash, codeHash] = [hashAddress(keyring, email), hashCode(keyring, id, code)]
  await replaceCode(db, { addressHash, codeHash, requestId: id, ttlS: CODE_TTL_S })
  return code
}

/**
 * Signs in with the code of an email, which uses up its link too (see `spend-link.ts`). A code that is wrong, over, or of no account is
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
    const owner = await findRequestOwner(tx, request_id)
    const user = owner && (await lockUser(tx, owner))
    // only now, under the lock: of two who type one code at the same moment the second finds none
    if (!user || !(await takeCode(tx, addressHash, given))) return null
    const created = await createSession(tx, { userId: user.id, method: 'otp', clientInfo, linkRequestId: request_id })
    return created && { ...created, user: await spendLink({ keyring }, tx, user, created.id) }
  })
  return session ?? failWrongCode()
}

const failWrongCode = (): never => fail('otp_expired', { message: 'Token has expired or is invalid' })
