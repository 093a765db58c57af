import { ReportAction } from '#contract/inbox.ts'
import { displayPlate, plateKey } from '#contract/plates.ts'
import { lockUserByEmail } from '../auth/user-queries.ts'
import type { AppContext } from '../context.ts'
import { inTransaction } from '../db/transaction.ts'
import { refusalMessage } from '../http/errors.ts'
import { decideReport } from '../inbox/decide-report.ts'
import { Refusal } from '../refusal.ts'
import { decideAppeal } from '../sanctions/decide-appeal.ts'
import { liftSanctions, suspendPerson } from '../sanctions/suspend-person.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { approveVehicle } from '../vehicles/approve-vehicle.ts'
import { deleteVehicleAsAdmin } from '../vehicles/delete-vehicle.ts'
import { listVehiclesOfAddress } from '../vehicles/queries.ts'
import { rejectVehicle } from '../vehicles/reject-vehicle.ts'
import { UsageError } from './command.ts'

// What the admin command decides, where every admin is a side of it (decision admin-inbox) or can reach no screen. It has no session:
// its actor in the audit log is null.

type CommandContext = Pick<AppContext, 'db' | 'keyring'>

/** No worker and no stream is beside a command: those of the servers find by themselves what there is. */
const NO_HINTS = { outbox: { wake() {} }, live: { publish() {}, publishChange() {} } }

/** Does what may be refused. Returns the text of the refusal; null: it is done. */
async function refusalOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof Refusal) return refusalMessage(error, 'en')
    throw error
  }
}

/**
 * Suspends the person of an account until it is lifted, or lifts what is in force, as an admin does on the page of the person. Returns
 * why not; null: it is done.
 *
 * @param words the reason of a suspension, as the person reads it; none: they read that they can ask for it
 */
export async function decideSanction(
  context: CommandContext,
  decision: 'suspend' | 'lift',
  email: string,
  words: string[],
): Promise<string | null> {
  const subjectId = await inTransaction(context.db, async (tx) => {
    const user = await lockUserByEmail(tx, email)
    return user && findOrCreateSubject(tx, user.person_hash)
  })
  if (!subjectId) return `No account has the address ${email}.`
  const everything = { ...context, ...NO_HINTS }
  if (decision === 'lift') return refusalOf(liftSanctions(everything, null, subjectId, null))
  return refusalOf(suspendPerson(everything, null, subjectId, { reason: words.join(' ').trim() || null, days: null }))
}

/**
 * Decides about the vehicle of an account: the plate, with `/<province>` where the account has it in several, and a reason. Returns why
 * not; null: it is done.
 */
export async function decideVehicle(
  context: CommandContext,
  decision: 'approve' | 'reject' | 'delete',
  email: string,
  [typed = '', ...words]: string[],
): Promise<string | null> {
  const [plate = '', province] = typed.split('/')
  const reason = words.join(' ').trim()
  if (plate === '' || (reason === '') === (decision === 'reject'))
    throw new UsageError(`${decision} takes an email address and a plate; reject a reason, too, which the owner reads`)
  const [vehicle, another] = await listVehiclesOfAddress(
    context.db,
    email,
    plateKey(displayPlate(plate)),
    province ?? null,
  )
  if (!vehicle) return `${email} has no vehicle with the plate ${typed}.`
  if (another) return `${email} has ${plate} in several provinces. Write ${plate}/${vehicle.province}.`
  const everything = { ...context, ...NO_HINTS }
  if (decision === 'approve') return refusalOf(approveVehicle(everything, null, vehicle.id))
  if (decision === 'delete') return refusalOf(deleteVehicleAsAdmin(everything, null, vehicle.id))
  return refusalOf(rejectVehicle(everything, null, vehicle.id, reason))
}

/** Decides a report, or an appeal (`keep`, `lift`), by the id in the address of its page. Returns why not; null: it is done. */
export async function decideCase(
  context: CommandContext,
  [id = '', decision = '', ...words]: string[],
): Promise<string | null> {
  const reason = words.join(' ').trim()
  const action = ReportAction.options.find((known) => known === decision)
  const isAppeal = decision === 'keep' || decision === 'lift'
  if (!/^[0-9a-f-]{36}$/i.test(id) || (!action && !isAppeal) || reason === '')
    throw new UsageError(
      `decide takes an id, one of ${[...ReportAction.options, 'keep', 'lift'].join(', ')}, and a reason`,
    )
  const everything = { ...context, ...NO_HINTS }
  if (action) return refusalOf(decideReport(everything, null, { id, action, reason }))
  return refusalOf(decideAppeal(everything, null, id, { uphold: decision === 'keep', reason }))
}
