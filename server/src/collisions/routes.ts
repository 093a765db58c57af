import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/collisions.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { getCollisionCard } from './read-card.ts'

/** Registers the reading of cards (decision collision-messages); they are sent with their messages. */
export function collisionRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, contract.getCollisionCard, ({ id }, actor) => getCollisionCard(context, actor.id, id))
}
