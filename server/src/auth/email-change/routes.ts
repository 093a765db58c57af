import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/email-change.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { shownAddress } from '../../email/shown-address.ts'
import { publicRoute, userRoute } from '../../http/route.ts'
import { requestLocale } from '../../locale.ts'
import { refuse } from '../../refusal.ts'
import { AuthError } from '../errors.ts'
import { createAuthLimits } from '../limits.ts'
import { readClientInfo } from '../session-queries.ts'
import { deriveAuthKeys } from '../tokens.ts'
import { followEmailLink } from './follow-email-link.ts'
import { deleteEmailChange, findEmailChange } from './queries.ts'
import { requestEmailChange, resendEmailChange } from './request-email-change.ts'

async function toEmailChange(db: Db, userId: string) {
  const change = await findEmailChange(db, userId)
  if (!change) return { pending: null }
  const { new_email, current_confirmed_at, new_confirmed_at, ...rest } = change
  return {
    pending: {
      ...rest,
      new_email: shownAddress(new_email),
      current_confirmed: current_confirmed_at !== null,
      new_confirmed: new_confirmed_at !== null,
    },
  }
}

/** Says in the words of the product's own calls that emails were asked for too often. */
function refuseTooOften(error: unknown): never {
  if (error instanceof AuthError && error.status === 429) {
    refuse('too_many_requests', { retryAfterS: error.details.retryAfterS ?? 60 })
  }
  throw error
}

/** Registers the change of an account's address (decision email-change). */
export function emailChangeRoutes(app: FastifyInstance, context: AppContext) {
  const { config, db, log } = context
  const limits = createAuthLimits(db, config, deriveAuthKeys(context.jwtSecrets), log)
  const visitOf = (request: FastifyRequest) => ({
    locale: requestLocale(request),
    clientInfo: readClientInfo(request),
  })

  userRoute(app, contract.getEmailChange, (_, { id }) => toEmailChange(db, id))
  userRoute(app, contract.requestEmailChange, async ({ email }, actor, { request }) => {
    if (email !== actor.email)
      await requestEmailChange({ ...context, limits }, actor, email, request).catch(refuseTooOften)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.resendEmailChange, async (_, actor, { request }) => {
    await resendEmailChange({ ...context, limits }, actor, request).catch(refuseTooOften)
    return toEmailChange(db, actor.id)
  })
  userRoute(app, contract.cancelEmailChange, async (_, { id }) => {
    await deleteEmailChange(db, id)
    return {}
  })
  publicRoute(app, contract.followEmailLink, async (input, { request }) => ({
    state: await followEmailLink(context, input, visitOf(request)),
  }))
}
