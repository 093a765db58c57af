import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/messages.ts'
import { parseInput, userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { readerOf } from '../sealing/show-text.ts'
import { pageOfReceived, pageOfSent, showReceived, viewMessage } from './list-messages.ts'
import { findReceived, setMessageRead } from './queries.ts'
import { replyToMessage } from './reply-to-message.ts'
import { makeSendMessage } from './send-message.ts'

const idempotencyKey = (request: FastifyRequest): string | null => {
  const header = request.headers['idempotency-key']
  return header === undefined ? null : parseInput(contract.IdempotencyKey, header)
}

/** Messages (spec §2, §4; design §3). */
export function messageRoutes(app: FastifyInstance, parts: Parts) {
  const send = makeSendMessage(parts)

  userRoute(app, contract.sendMessage, (message, { id }, { request }) => send(id, message, idempotencyKey(request)))
  userRoute(app, contract.listMessages, ({ view, ...paging }, { id }, { request }) => {
    const page = view === 'received' ? pageOfReceived : pageOfSent
    return page(parts.db, readerOf(parts, request), id, paging)
  })
  userRoute(
    app,
    contract.getMessage,
    async ({ id }, actor, { request }) =>
      (await viewMessage(parts.db, readerOf(parts, request), id, actor.id)) ?? refuse('not_found'),
  )
  userRoute(app, contract.markMessage, async ({ id, is_read }, actor, { request }) => {
    if (!(await setMessageRead(parts.db, id, actor.id, is_read))) refuse('not_found')
    const row = (await findReceived(parts.db, id, actor.id)) ?? refuse('not_found')
    return showReceived(readerOf(parts, request), row)
  })
  userRoute(app, contract.replyToMessage, async ({ id, reply }, actor, { request }) =>
    showReceived(readerOf(parts, request), await replyToMessage(parts, actor.id, id, reply)),
  )
}
