import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { parseInput, userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { findMessageForUser, receivedMessagesPage, sentMessagesPage, toReceivedMessage } from './list-messages.ts'
import { findReceived, setMessageRead } from './queries.ts'
import { replyToMessage } from './reply-to-message.ts'
import { makeSendMessage } from './send-message.ts'

const idempotencyKey = (request: FastifyRequest): string | null => {
  const header = request.headers['idempotency-key']
  return header === undefined ? null : parseInput(contract.IdempotencyKey, header)
}

/** Registers the routes of messages (requirements §2, §4; decision 0031). */
export function messageRoutes(app: FastifyInstance, context: AppContext) {
  const send = makeSendMessage(context)

  userRoute(app, contract.sendMessage, (message, { id, email }, { request }) =>
    send({ id, email, ip: request.ip }, message, idempotencyKey(request)),
  )
  userRoute(app, contract.listMessages, ({ view, ...paging }, { id }, { request }) => {
    const page = view === 'received' ? receivedMessagesPage : sentMessagesPage
    return page(context.db, decryptContextFor(context, request), id, paging)
  })
  userRoute(
    app,
    contract.getMessage,
    async ({ id }, actor, { request }) =>
      (await findMessageForUser(context.db, decryptContextFor(context, request), id, actor.id)) ?? refuse('not_found'),
  )
  userRoute(app, contract.markMessage, async ({ id, is_read }, actor, { request }) => {
    if (!(await setMessageRead(context.db, id, actor.id, is_read))) refuse('not_found')
    const row = (await findReceived(context.db, id, actor.id)) ?? refuse('not_found')
    return toReceivedMessage(decryptContextFor(context, request), row)
  })
  userRoute(app, contract.replyToMessage, async ({ id, reply, answer = null }, actor, { request }) =>
    toReceivedMessage(decryptContextFor(context, request), await replyToMessage(context, actor, id, { reply, answer })),
  )
}
