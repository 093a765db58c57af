import { lockUserByEmail } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { Refusal } from '../refusal.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { liftSanctions, suspendPerson } from './suspend-person.ts'

// What the admin command does to a person, by the address of an account. It has no session: its actor in the audit log is null.

type CommandContext = Pick<AppContext, 'db' | 'keyring'>

type SuspendOutcome = 'suspended' | 'already_suspended' | 'unknown' | 'last_admin_suspended'

/** No worker runs beside a command: the servers' workers find the emails by themselves. */
const NO_OUTBOX = { wake() {} }

/** Finds the person of an account. Undefined when there is no such account. */
const findPerson = ({ db }: CommandContext, email: string): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    if (!user) return undefined
    return findOrCreateSubject(tx, user.person_hash)
  })

/**
 * Suspends the person of an account until it is lifted, as an admin does on the page of the person.
 *
 * @param reason as the person reads it; null: they read that they can ask for it
 */
export async function suspendByEmail(
  context: CommandContext,
  email: string,
  reason: string | null,
): Promise<SuspendOutcome> {
  const subjectId = await findPerson(context, email)
  if (subjectId === undefined) return 'unknown'
  try {
    await suspendPerson({ ...context, outbox: NO_OUTBOX }, null, subjectId, { reason, days: null })
    return 'suspended'
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'already_suspended' || error.code === 'last_admin_suspended'))
      return error.code
    throw error
  }
}

/** Lifts what is in force for the person of an account. */
export async function liftSanctionsByEmail(
  context: CommandContext,
  email: string,
): Promise<'lifted' | 'nothing_to_lift' | 'unknown'> {
  const subjectId = await findPerson(context, email)
  if (subjectId === undefined) return 'unknown'
  try {
    await liftSanctions({ ...context, outbox: NO_OUTBOX }, null, subjectId, null)
    return 'lifted'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'nothing_to_lift') return error.code
    throw error
  }
}
