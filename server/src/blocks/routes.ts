import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/blocks.ts'
import type { AppContext } from '../context.ts'
import { readPage } from '../db/pagination.ts'
import { userRoute } from '../http/route.ts'
import { findMessageParties } from '../messages/parties.ts'
import { getBlockSecret } from '../messages/send-limits.ts'
import { refuse } from '../refusal.ts'
import { deleteBlock, insertBlock, listBlocks } from './queries.ts'

/**
 * Blocks the other person of a message for all that comes later (decision blocking-people): what they send, for somebody who received
 * it, or what they reply, for somebody who sent it. What an owner blocks reaches none of their vehicles, what a driver blocks not
 * the one they drive: everybody of a vehicle gets the same messages. The send (`server/src/messages/send-statement.ts`) and the reply read the
 * blocks themselves. Blocking again changes nothing.
 *
 * Refuses with `not_found`, and with `nothing_to_block` for whoever left a note: it is answered once.
 */
async function blockPerson(context: AppContext, userId: string, messageId: string): Promise<void> {
  const { view, plate, inserted_at, driverId, vehicleId, sender, senderNetwork, owner } =
    (await findMessageParties(context, messageId, userId)) ?? refuse('not_found')
  if (plate === null) refuse('nothing_to_block')
  const person = view === 'received' ? sender : owner
  await insertBlock(context.db, {
    userId,
    driverId,
    receiverId: driverId === null ? userId : vehicleId,
    messageId,
    plate,
    messageInsertedAt: inserted_at,
    view,
    blockSecret: person && getBlockSecret(context.keyring, person),
    networkSecret: view === 'received' ? senderNetwork && getBlockSecret(context.keyring, senderNetwork) : null,
  })
}

/** Registers the routes of blocks (decision blocking-people). */
export function blockRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.blockPerson, ({ id }, actor) => blockPerson(context, actor.id, id))
  userRoute(app, contract.listBlocks, (paging, actor) =>
    readPage(paging, (before, limit) => listBlocks(context.db, actor.id, before, limit)),
  )
  userRoute(app, contract.deleteBlock, async ({ id }, actor) => {
    if (!(await deleteBlock(context.db, id, actor.id))) refuse('not_found')
  })
}
