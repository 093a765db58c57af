import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as collisions from '#contract/collisions.ts'
import * as contract from '#contract/messages.ts'
import { getCollisionCard } from '../collisions/read-card.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { parseInput, userRoute } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { requestLocale } from '../locale.ts'
import { markMessageNotification } from '../notifications/queries.ts'
import { refuse } from '../refusal.ts'
import { answerFormRoutes } from './answer-form.ts'
import {
  findMessageForUser,
  receivedMessagesPage,
  sentMessagesPage,
  toReceivedMessage,
  toSentMessage,
} from './list-messages.ts'
import { nudgeMessage } from './nudge-message.ts'
import { setMessageRead } from './queries.ts'
import { replyToMessage } from './reply-to-message.ts'
import { makeSearchMessages } from './search-messages.ts'
import { makeSendMessage } from './send-message.ts'
import { answerWitness, askWitness, withdrawWitness } from './witness.ts'

const idempotencyKey = (request: FastifyRequest): string | null => {
  const header = request.headers['idempotency-key']
  return header === undefined ? null : parseInput(contract.IdempotencyKey, header)
}

/**
 * Registers the routes of messages and of what comes with them (requirements §2, §4; decision http-interface).
 *
 * @param pages the built pages, if the web app is served too
 */
export function messageRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  const send = makeSendMessage(context)
  const search = makeSearchMessages(context)

  userRoute(app, contract.sendMessage, (message, { id, personHash }, { request }) =>
    send({ id, personHash, ip: request.ip }, message, idempotencyKey(request)),
  )
  userRoute(app, contract.listMessages, ({ view, vehicle_id, unread, ...paging }, { id }, { request }) => {
    const decryptContext = decryptContextFor(context, request)
    return view === 'received'
      ? receivedMessagesPage(context.db, decryptContext, id, paging, {
          vehicleId: vehicle_id,
          unread: unread === 'true',
        })
      : sentMessagesPage(context.db, decryptContext, id, paging)
  })
  userRoute(app, contract.searchMessages, (input, { id }, { request }) =>
    search(id, decryptContextFor(context, request), requestLocale(request), input),
  )
  userRoute(
    app,
    contract.getMessage,
    async ({ id }, actor, { request }) =>
      (await findMessageForUser(context.db, decryptContextFor(context, request), id, actor.id)) ?? refuse('not_found'),
  )
  userRoute(app, contract.markMessage, async ({ id, is_read }, actor, { request }) => {
    await setMessageRead(context.db, id, actor.id, is_read)
    // someone who has read the message needs no count of its notification
    if (await markMessageNotification(context.db, id, actor.id, is_read)) context.live.publish([actor.id])
    return (
      (await findMessageForUser(context.db, decryptContextFor(context, request), id, actor.id)) ?? refuse('not_found')
    )
  })
  userRoute(app, contract.nudgeMessage, async ({ id }, actor, { request }) =>
    toSentMessage(decryptContextFor(context, request), await nudgeMessage(context, actor, id)),
  )
  userRoute(app, contract.replyToMessage, async ({ id, reply, answer = null }, actor, { request }) => {
    const row = await replyToMessage(context, actor, id, { reply, answer })
    return toReceivedMessage(decryptContextFor(context, request), row)
  })
  userRoute(app, collisions.getCollisionCard, ({ id }, actor) => getCollisionCard(context, actor.id, id))
  userRoute(app, collisions.askWitness, ({ id }, actor) => askWitness(context, actor, id))
  userRoute(app, collisions.answerWitness, ({ id, ...answer }, actor) => answerWitness(context, actor, id, answer))
  userRoute(app, collisions.withdrawWitness, ({ id }, actor) => withdrawWitness(context, actor, id))
  answerFormRoutes(app, context, pages)
}
