import type { FastifyRequest } from 'fastify'
import { errorText } from '#contract/errors.ts'
import type { AuditActor } from '../audit/record-action.ts'
import { requestLocale } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../refusal.ts'
import type { CheckBearer } from './authenticate.ts'
import { requireUser } from './bearer.ts'
import { AdminDeleteBody, readBody } from './body.ts'
import { fail, invalid } from './errors.ts'
import { holdsKey } from './holds-key.ts'
import { findUser, isSessionAsleep, type UserRow } from './queries.ts'
import { isUuid } from './tokens.ts'
import { userJson } from './user-json.ts'

/**
 * Deletes an account with all that belongs to it; the product's own deletion, handed in because it stands on every
 * feature. Refuses with `not_found` and `last_admin`.
 */
export type DeleteAccount = (parts: Parts, wish: { id: string; by: AuditActor; reason?: string }) => Promise<void>

/**
 * Lets through who holds SERVICE_ROLE_KEY, and nobody without that setting. A person is told so after their session was
 * checked, an admin too: the product's admins delete through the product, where it is audited under their name.
 */
export async function requireServiceRole({ config, db }: Parts, check: CheckBearer, request: FastifyRequest) {
  if (holdsKey(request, config.SERVICE_ROLE_KEY)) return
  const { sessionId } = await requireUser(check, request)
  if (await isSessionAsleep(db, sessionId)) fail('session_expired', { status: 403 })
  fail('not_admin')
}

async function userOf({ db }: Parts, request: FastifyRequest): Promise<UserRow> {
  const { id } = request.params as { id: string }
  if (!isUuid(id)) return fail('validation_failed', { message: 'user_id must be an UUID', status: 404 })
  return (await findUser(db, id)) ?? noSuchUser()
}

const noSuchUser = () => fail('user_not_found', { message: 'User not found', status: 404 })

/** `GET /admin/users/:id` (auth contract §1.13). */
export const getAdminUser = async (parts: Parts, request: FastifyRequest) => userJson(await userOf(parts, request))

/** `DELETE /admin/users/:id`: deletes the account as the product does. The client asks for the user first. */
export async function deleteAdminUser(parts: Parts, request: FastifyRequest, deleteAccount: DeleteAccount) {
  const { id } = await userOf(parts, request)
  const { should_soft_delete } = request.body === undefined ? {} : readBody(AdminDeleteBody, request)
  if (should_soft_delete) invalid('Soft deletion is not supported')
  try {
    await deleteAccount(parts, { id, by: null })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') noSuchUser()
    if (error.code === 'last_admin') fail('conflict', { message: errorText('last_admin', requestLocale(request)) })
    throw error
  }
  return {}
}
