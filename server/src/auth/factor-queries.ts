import { newId } from '../db/ids.ts'
import type { Db } from '../db/pool.ts'
import { RETENTION } from '../retention.ts'
import type { Passkey } from './webauthn.ts'

export type FactorType = 'totp' | 'webauthn'

export type FactorRow = {
  id: string
  user_id: string
  factor_type: FactorType
  friendly_name: string
  verified_at: string | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
  secret_encrypted: Buffer | null
  last_step: number | null
  credential_id: string | null
  public_key: string | null
  sign_count: number | null
  transports: string[] | null
  removed_at: string | null
}

const columns = (db: Db) => db`
  id, user_id, factor_type, friendly_name, verified_at, last_challenged_at, created_at, updated_at, secret_encrypted,
  last_step::float8 as last_step, credential_id, public_key, sign_count::float8 as sign_count, transports, removed_at`

/** Lists an account's factors, the oldest first; with those that were removed and can be put back, if asked to. */
export const listFactors = (db: Db, userId: string, which: 'present' | 'all' = 'present') =>
  db<FactorRow[]>`
    select ${columns(db)} from auth.factors
    where user_id = ${userId} and (removed_at is null or ${which} = 'all')
    order by created_at, id`

/** Finds a factor of an account. */
export const findFactor = async (db: Db, userId: string, id: string): Promise<FactorRow | undefined> => {
  const [factor] = await db<FactorRow[]>`
    select ${columns(db)} from auth.factors where id = ${id} and user_id = ${userId} and removed_at is null`
  return factor
}

/** Inserts a factor that has yet to be used. */
export const insertFactor = async (
  db: Db,
  factor: Pick<FactorRow, 'id' | 'user_id' | 'factor_type' | 'friendly_name' | 'secret_encrypted'>,
): Promise<void> => {
  const { id, user_id, factor_type, friendly_name, secret_encrypted } = factor
  await db`
    insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted)
    values (${id}, ${user_id}, ${factor_type}, ${friendly_name}, ${secret_encrypted})`
}

/** How long an enrolment may take before its factor is deleted. */
export const ENROLMENT_MINUTES = 15

/** Deletes factors that were enrolled and never used: those that took too long, and those another enrolment replaces. */
export const deleteAbandonedFactors = async (db: Db, userId: string, friendlyName: string): Promise<void> => {
  await db`
    delete from auth.factors
    where user_id = ${userId} and verified_at is null
      and (friendly_name = ${friendlyName} or created_at < now() - make_interval(mins => ${ENROLMENT_MINUTES}))`
}

/** Deletes the factors of one kind that were enrolled and never used, once another of that kind is. */
export const deleteUnverifiedFactors = async (db: Db, userId: string, type: FactorType): Promise<void> => {
  await db`delete from auth.factors where user_id = ${userId} and factor_type = ${type} and verified_at is null`
}

/** Deletes a factor that was never used. */
export const deleteFactor = async (db: Db, id: string): Promise<void> => {
  await db`delete from auth.factors where id = ${id}`
}

/** Removes a factor, which the email about that can put back; sessions verified with it are so no longer. */
export const setFactorRemoved = async (db: Db, id: string): Promise<void> => {
  await db`update auth.factors set removed_at = now() where id = ${id}`
  await db`update auth.sessions set factor_id = null where factor_id = ${id}`
}

const isFactorYoung = (db: Db) => db`verified_at > now() - ${RETENTION.removedFactors}::interval`

/**
 * Undoes what somebody did to the factors of an account: deletes those added within the days for which a mailbox can undo, and puts back
 * those removed since a moment.
 */
export const undoFactors = async (db: Db, userId: string, since: string): Promise<void> => {
  await db`
    delete from auth.factors
    where user_id = ${userId} and (verified_at is null or ${isFactorYoung(db)})`
  await db`update auth.factors set removed_at = null where user_id = ${userId} and removed_at >= ${since}`
}

/** Finds when the newest factor was added that the mailbox of the account can remove; undefined when there is none, as for an admin. */
export const findYoungFactorTime = async (db: Db, userId: string): Promise<string | undefined> => {
  const [row] = await db<{ verified_at: string }[]>`
    select f.verified_at from auth.factors f join auth.users u on u.id = f.user_id and not u.is_admin
    where f.user_id = ${userId} and f.removed_at is null and ${isFactorYoung(db)}
    order by f.verified_at desc limit 1`
  return row?.verified_at
}

/** Deletes every factor of an account. Returns how many of them counted. */
export const deleteAllFactors = async (db: Db, userId: string): Promise<number> => {
  const rows = await db<{ counted: boolean }[]>`
    delete from auth.factors where user_id = ${userId}
    returning verified_at is not null and removed_at is null as counted`
  return rows.filter(({ counted }) => counted).length
}

/** Records the code of an app that was used. */
export const setTotpUsed = async (db: Db, id: string, step: number): Promise<void> => {
  await db`
    update auth.factors set last_step = ${step}, verified_at = coalesce(verified_at, now()), updated_at = now()
    where id = ${id}`
}

/** Stores the passkey of a factor, which has been used now. */
export const setPasskey = async (db: Db, id: string, passkey: Passkey): Promise<void> => {
  const { credential_id, public_key, sign_count, transports } = passkey
  await db`
    update auth.factors
    set credential_id = ${credential_id}, public_key = ${public_key}, sign_count = ${sign_count},
      transports = ${transports}::text[], verified_at = now(), updated_at = now()
    where id = ${id}`
}

export const setSignCount = async (db: Db, id: string, count: number): Promise<void> => {
  await db`update auth.factors set sign_count = ${count}, updated_at = now() where id = ${id}`
}

// --- challenges

type ChallengeRow = { id: string; challenge: string | null; failures: number; expired: boolean }

/** Records that a factor is asked for. Returns whether there still is one. */
export const setFactorChallenged = async (db: Db, id: string): Promise<boolean> => {
  const { count } = await db`update auth.factors set last_challenged_at = now() where id = ${id} and removed_at is null`
  return count > 0
}

/** Inserts a challenge, and deletes those that are over. Returns when it ends, in Unix seconds; undefined when the session has ended. */
export const insertChallenge = async (
  db: Db,
  input: { factorId: string; sessionId: string; challenge: string | null; validS: number },
): Promise<{ id: string; expiresAtS: number } | undefined> => {
  const { factorId, sessionId, challenge, validS } = input
  const id = newId()
  await db`delete from auth.factor_challenges where session_id = ${sessionId} and expires_at < now()`
  const [row] = await db<{ at: number }[]>`
    insert into auth.factor_challenges (id, factor_id, session_id, challenge, expires_at)
    select ${id}::uuid, ${factorId}::uuid, id, ${challenge}::text, now() + make_interval(secs => ${validS}::float8)
    from auth.sessions where id = ${sessionId} for key share
    returning extract(epoch from expires_at)::float8 as at`
  return row && { id, expiresAtS: Math.floor(row.at) }
}

/** Locks a challenge of a factor and a session until the transaction ends: of two concurrent responses the second finds none. */
export const lockChallenge = async (
  db: Db,
  { id, factorId, sessionId }: { id: string; factorId: string; sessionId: string },
): Promise<ChallengeRow | undefined> => {
  const [row] = await db<ChallengeRow[]>`
    select id, challenge, failures, expires_at < clock_timestamp() as expired
    from auth.factor_challenges
    where id = ${id} and factor_id = ${factorId} and session_id = ${sessionId}
    for update`
  return row
}

export const deleteChallenge = async (db: Db, id: string): Promise<void> => {
  await db`delete from auth.factor_challenges where id = ${id}`
}

/** Counts a wrong response to a challenge, which allows few of them. */
export const countChallengeFailure = async (db: Db, id: string): Promise<void> => {
  await db`update auth.factor_challenges set failures = failures + 1 where id = ${id}`
}

// --- sessions

/** Records that a session has just been verified with a factor. */
export const setSessionFactor = async (db: Db, sessionId: string, factorId: string): Promise<void> => {
  await db`
    update auth.sessions set factor_id = ${factorId}, factor_verified_at = clock_timestamp() where id = ${sessionId}`
}

type SessionFactor = { factor_type: FactorType; verified_at_s: number }

/** Finds what a session was last verified with; undefined when it never was, or the factor is gone. */
export const findSessionFactor = async (db: Db, sessionId: string): Promise<SessionFactor | undefined> => {
  const [row] = await db<SessionFactor[]>`
    select f.factor_type, extract(epoch from s.factor_verified_at)::float8 as verified_at_s
    from auth.sessions s
    join auth.factors f on f.id = s.factor_id
    where s.id = ${sessionId}`
  return row
}

/** Deletes challenges that are over, factors that were enrolled and never used, and those that were removed. */
export const cleanUpFactors = async (db: Db): Promise<void> => {
  await db`delete from auth.factor_challenges where expires_at < now()`
  await db`
    delete from auth.factors
    where verified_at is null and created_at < now() - make_interval(mins => ${ENROLMENT_MINUTES})
      or removed_at <= now() - ${RETENTION.removedFactors}::interval`
}
