import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/sanctions.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { publicRoute } from '../http/route.ts'
import { type Appellant, getOwnSanction, makeAppeal } from './make-appeal.ts'

/** Registers appeals (decision sanctions-and-appeals): for the person, by an emailed link or signed in. */
export function sanctionRoutes(app: FastifyInstance, context: AppContext) {
  const findAppellant = async (token: string | undefined, request: FastifyRequest): Promise<Appellant> =>
    token === undefined ? { actor: await app.authenticate(request, { admitSuspended: true }) } : { token }

  publicRoute(app, contract.getOwnSanction, async ({ token }, { request }) =>
    getOwnSanction(context, decryptContextFor(context, request), await findAppellant(token, request)),
  )
  publicRoute(app, contract.makeAppeal, async ({ token, text }, { request }) => ({
    id: await makeAppeal(context, await findAppellant(token, request), text),
  }))
}
