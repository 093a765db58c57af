import type { Incident } from '#contract/incidents.ts'
import { type AuditActor, recordActionWithoutReason } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { inTransaction } from '../db/transaction.ts'
import { refuse } from '../refusal.ts'
import { encryptIncident } from './incident-encryption.ts'
import { findFirstEntry, insertIncident } from './incident-queries.ts'

/**
 * Adds an entry to the register of incidents (decision 0094). One that amends another belongs to the first entry about that
 * incident. Refuses with `not_found` when there is no such entry.
 */
export const recordIncident = (
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  admin: NonNullable<AuditActor>,
  input: Omit<Incident, 'id' | 'created_at' | 'recorded_by'>,
): Promise<Incident> =>
  inTransaction(db, async (tx) => {
    const id = newId()
    const amends = input.amends && ((await findFirstEntry(tx, input.amends)) ?? refuse('not_found'))
    const entry = { ...input, id, amends, recorded_by: admin.email }
    const created_at = await insertIncident(tx, {
      ...entry,
      recorded_by_id: admin.id,
      text_encrypted: encryptIncident(keyring, id, input),
    })
    await recordActionWithoutReason(tx, {
      actor: admin,
      action: 'incident_recorded',
      subject: input.noticed_on,
      subjectId: id,
    })
    return { ...entry, created_at }
  })
