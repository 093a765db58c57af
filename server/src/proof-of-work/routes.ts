import type { FastifyInstance } from 'fastify'
import { getProofChallenge } from '#contract/proof-of-work.ts'
import type { AppContext } from '../context.ts'
import { publicRoute } from '../http/route.ts'
import { makeChallenge } from './proof-of-work.ts'

/** Registers the route with which a browser gets a computation to do. */
export function proofOfWorkRoutes(app: FastifyInstance, context: AppContext) {
  publicRoute(app, getProofChallenge, () => makeChallenge(context))
}
