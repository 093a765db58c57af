import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/holds.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { requireFreshFactor } from '../http/second-factor.ts'
import { extendHold, holdAccount, holdPlate, liftHold } from './place-hold.ts'
import { getHold, listHolds } from './read-hold.ts'

/** Registers legal holds (decision 0117). */
export function holdRoutes(app: FastifyInstance, context: AppContext) {
  const { db } = context
  const read = (request: FastifyRequest, id: string) => getHold(db, decryptContextFor(context, request), id)

  adminRoute(app, contract.listHolds, (input, _, { request }) =>
    listHolds(db, decryptContextFor(context, request), input),
  )
  adminRoute(app, contract.holdAccount, async (input, admin, { request }) => {
    requireFreshFactor(admin)
    return read(request, await holdAccount(context, admin, input))
  })
  adminRoute(app, contract.holdPlate, async (input, admin, { request }) => {
    requireFreshFactor(admin)
    return read(request, await holdPlate(context, admin, input))
  })
  adminRoute(app, contract.extendHold, async (input, admin, { request }) => {
    requireFreshFactor(admin)
    await extendHold(context, admin, input)
    return read(request, input.id)
  })
  adminRoute(app, contract.liftHold, async (input, admin, { request }) => {
    requireFreshFactor(admin)
    await liftHold(context, admin, input)
    return read(request, input.id)
  })
}
