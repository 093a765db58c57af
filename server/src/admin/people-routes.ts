import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/people.ts'
import { recordPersonLookUp } from '../audit/record-action.ts'
import type { AppContext } from '../context.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { adminRoute } from '../http/route.ts'
import { requireFreshFactor } from '../http/second-factor.ts'
import { liftSanctions, suspendPerson } from '../sanctions/suspend-person.ts'
import { getPerson } from './get-person.ts'

/** Registers the page of a person (decisions moderation-desk and sanctions-and-appeals). */
export function peopleRoutes(app: FastifyInstance, context: AppContext) {
  const readPerson = (id: string, request: FastifyRequest) =>
    getPerson(context.db, decryptContextFor(context, request), id)

  adminRoute(app, contract.getPerson, async ({ id }, admin, { request }) => {
    const person = await readPerson(id, request)
    await recordPersonLookUp(context.db, admin, { id, address: person.accounts[0]?.address })
    return person
  })
  adminRoute(app, contract.suspendPerson, async ({ id, reason, days }, admin, { request }) => {
    requireFreshFactor(admin)
    await suspendPerson(context, admin, id, { reason, days: days ?? null })
    return readPerson(id, request)
  })
  adminRoute(app, contract.liftSanctions, async ({ id, reason }, admin, { request }) => {
    requireFreshFactor(admin)
    await liftSanctions(context, admin, id, reason)
    return readPerson(id, request)
  })
}
