import { IMPATIENT_REASONS, NO_ANSWER_AFTER_MINUTES } from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import type { Db, Transaction } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMails } from '../email/outbox.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { lockReaders } from './people-queries.ts'
import { findSent, type SentRow } from './queries.ts'
import { unlessWithheld } from './reply-to-message.ts'
import { getBlockSecret } from './send-limits.ts'
import { type BlockableSender, isBlockedExpression } from './sender-blocks.ts'

/**
 * Reminds the people of a vehicle of a message for its sender, once (decision vehicle-people).
 *
 * Refuses with `not_found`, `nudge_not_now`.
 */
export async function nudgeMessage(
  { db, keyring, live, outbox }: Pick<AppContext, 'db' | 'keyring' | 'live' | 'outbox'>,
  { id: senderId, personHash: person }: { id: string; personHash: Buffer },
  id: string,
): Promise<SentRow> {
  const sender = { id: senderId, person, blockSecret: getBlockSecret(keyring, person), networkSecret: null }
  const { row, reminded } = await inTransaction(db, async (tx) => {
    const reminded = await remindPeople(tx, id, { ...sender, isUrgent: false })
    const row = (await findSent(tx, id, senderId)) ?? refuse('not_found')
    return { row, reminded: reminded ?? refuse('nudge_not_now') }
  })
  live.publish([senderId, ...reminded])
  outbox.wake()
  return row
}

/** Who asks once more: `id` is null for somebody without an account, whose receipt has named the message. */
type NudgeSender = BlockableSender & { id: string | null; person: Buffer | null }

/**
 * Reminds everybody of a vehicle who got a message: not of one that was answered, and none of those whom a block or a sanction keeps
 * from its sender, which takes as long. Returns who has news; null: its sender may not ask now.
 */
export async function remindPeople(tx: Transaction, id: string, sender: NudgeSender): Promise<string[] | null> {
  const nudged = await setNudged(tx, id, sender)
  if (!nudged) return null
  const { plate, vehicle_id, is_withheld: isWithheld } = nudged
  const data = { ...(plate !== null && { plate }), message_id: id, ...(vehicle_id !== null && { vehicle_id }) }
  const people = await lockReaders(tx, id)
  await unlessWithheld(tx, isWithheld, async (savepoint) => {
    await notify(
      savepoint,
      people.map((userId) => ({ userId, type: 'message_nudged', data, messageId: id })),
    )
    await queueMails(savepoint, { kind: 'nudge', refId: id }, people)
  })
  return isWithheld ? [] : people
}

type Nudged = { vehicle_id: string | null; plate: string | null; is_withheld: boolean }

/**
 * Records the one reminder of a sender, if the message is old enough and its sender sees no answer. All that this depends on is the
 * sender's own. Returns null when it is not allowed now, or there is no such message; otherwise with the vehicle as its people
 * know it, and whether they are not to be reminded: the message never reached them, was answered, or its sender is blocked by now.
 */
const setNudged = async (tx: Db, id: string, sender: NudgeSender): Promise<Nudged | null> => {
  const { impatient, other } = NO_ANSWER_AFTER_MINUTES
  const [row] = await tx<Nudged[]>`
    with nudged as (
      update messages set nudged_at = now()
      where id = ${id} and sender_id is not distinct from ${sender.id} and not is_note and nudged_at is null
        and (replied_at is null or reply_withheld)
        and inserted_at <= now() - interval '1 minute' *
          case when reason = any(${IMPATIENT_REASONS as string[]}::text[]) then ${impatient}::int else ${other}::int end
      returning vehicle_id, replied_at, reply_removed
    )
    select n.vehicle_id, v.plate, n.vehicle_id is null or n.replied_at is not null or n.reply_removed
      or is_sanctioned(${sender.person}::bytea, 'suspend')
      or ${isBlockedExpression(tx, { ownerId: tx`v.user_id`, vehicleId: tx`v.id` }, sender)} as is_withheld
    from nudged n left join vehicles v on v.id = n.vehicle_id`
  return row ?? null
}
