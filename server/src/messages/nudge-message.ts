import { NO_ANSWER_AFTER_MINUTES } from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { queueMails } from '../email/outbox.ts'
import { notify } from '../notifications/notify.ts'
import { refuse } from '../refusal.ts'
import { lockReaders } from './people-queries.ts'
import { findSent, type SentRow } from './queries.ts'
import { unlessWithheld } from './reply-to-message.ts'
import { getBlockSecret } from './send-limits.ts'

/**
 * Reminds the people of a vehicle of a message, once (decision vehicle-people): everybody who got it. Nobody is reminded of a message
 * that was answered, and none of those whom a block keeps from its sender; the sender gets the same response.
 *
 * Refuses with `not_found`, `nudge_not_now`.
 */
export async function nudgeMessage(
  { db, keyring, live, outbox }: Pick<AppContext, 'db' | 'keyring' | 'live' | 'outbox'>,
  sender: { id: string; personHash: Buffer },
  id: string,
): Promise<SentRow> {
  const { row, reminded } = await inTransaction(db, async (tx) => {
    const nudged = await setNudged(tx, id, sender.id, getBlockSecret(keyring, sender.personHash))
    const row = (await findSent(tx, id, sender.id)) ?? refuse('not_found')
    if (!nudged) refuse('nudge_not_now')
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
    return { row, reminded: isWithheld ? [] : people }
  })
  live.publish([sender.id, ...reminded])
  outbox.wake()
  return row
}

type Nudged = { vehicle_id: string | null; plate: string | null; is_withheld: boolean }

/**
 * Records the one reminder of a sender, if the message is old enough and its sender sees no answer. All that this depends on is the
 * sender's own. Returns null when it is not allowed now, or there is no such message; otherwise with the vehicle as its people
 * know it, and whether they are not to be reminded: the message never reached them, was answered, or its sender is blocked by now.
 */
const setNudged = async (tx: Db, id: string, senderId: string, blockSecret: Buffer): Promise<Nudged | null> => {
  const [row] = await tx<Nudged[]>`
    with nudged as (
      update messages set nudged_at = now()
      where id = ${id} and sender_id = ${senderId} and not is_note and nudged_at is null
        and (replied_at is null or reply_withheld)
        and inserted_at <= now() - ${NO_ANSWER_AFTER_MINUTES} * interval '1 minute'
      returning vehicle_id, replied_at, reply_removed
    )
    select n.vehicle_id, v.plate, n.vehicle_id is null or n.replied_at is not null or n.reply_removed or exists (
      select from blocks b where b.blocked_hash in (
        blocked_hash(${blockSecret}::bytea, v.user_id, 'received'), blocked_hash(${blockSecret}::bytea, v.id, 'received'))
    ) as is_withheld
    from nudged n left join vehicles v on v.id = n.vehicle_id`
  return row ?? null
}
