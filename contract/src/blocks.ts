import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { MessageView } from './messages.ts'

export const blockPerson = endpoint({
  method: 'POST',
  path: '/api/messages/:id/block',
  audience: 'user',
  summary:
    'Blocks whoever wrote a message to a vehicle, for all of its people, or replied to one of the caller’s. They are not told.',
  input: IdParam,
})

/**
 * A block, named by the message it was made from. It says nothing about the person: two blocks of one person look like two
 * of different ones (decision blocking-people).
 */
export const Block = z.object({
  id: z.uuid(),
  /** The plate of the own vehicle for a received message; the plate as typed for a sent one. */
  plate: z.string(),
  message_inserted_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  /** What no longer arrives: messages of the sender of a received one, replies of the recipient of a sent one. */
  view: MessageView,
  /** Whether a driver of an own vehicle made it. */
  by_driver: z.boolean(),
})
export type Block = z.infer<typeof Block>

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/blocks',
  audience: 'user',
  summary:
    'The people the caller, or a driver of an own vehicle, has blocked, each by the message it was done from, latest first.',
  input: PageParams,
  output: pageOf(Block),
})

export const deleteBlock = endpoint({
  method: 'DELETE',
  path: '/api/blocks/:id',
  audience: 'user',
  summary: 'Ends a block. What was held back meanwhile stays away.',
  input: IdParam,
})
