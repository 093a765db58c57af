import type { FastifyRequest } from 'fastify'
import { errorText } from '#contract/errors.ts'
import type { AuditActor } from '../../audit/record-action.ts'
import type { AppContext } from '../../context.ts'
import { requestLocale } from '../../locale.ts'
import { Refusal } from '../../refusal.ts'
import { type BearerChecker, hasServiceKey } from '../authenticate.ts'
import { fail, failValidation } from '../errors.ts'
import { isSessionIdle } from '../session-queries.ts'
import { isUuid } from '../tokens.ts'
import { findUser, type UserRow } from '../user-queries.ts'
import { requireUser } from './errors.ts'
import { AdminDeleteBody, parseBody } from './request-input.ts'
import { loadUserJson } from './user-json.ts'

/**
 * Deletes an account with everything that belongs to it. Passed in as an argument, because the product's deletion
 * imports every feature. Refuses with `not_found` and `last_admin`.
 */
export type DeleteAccount = (
  context: AppContext,
  deletion: { id: string; by: AuditActor; reason?: string },
) => Promise<void>

/** Handles a call by other software with a key of its own. */
export type ServiceHandler = (
  context: AppContext,
  request: FastifyRequest,
  deleteAccount: DeleteAccount,
) => Promise<unknown>

/**
 * Admits callers with SERVICE_ROLE_KEY, and nobody when it is not set. A signed-in person is refused after their
 * session was checked, an admin too: admins delete through the product, where it is audited under their name.
 */
export async function requireServiceRole({ config, db }: AppContext, check: BearerChecker, request: FastifyRequest) {
  if (hasServiceKey(request, config.SERVICE_ROLE_KEY)) return
  const { sessionId } = await requireUser(check, request)
  if (await isSessionIdle(db, sessionId)) fail('session_expired', { status: 403 })
  fail('not_admin')
}

async function loadUser({ db }: AppContext, request: FastifyRequest): Promise<UserRow> {
  const { id } = request.params as { id: string }
  if (!isUuid(id)) return fail('validation_failed', { message: 'user_id must be an UUID', status: 404 })
  return (await findUser(db, id)) ?? failUserNotFound()
}

const failUserNotFound = () => fail('user_not_found', { message: 'User not found', status: 404 })

/** Handles `GET /admin/users/:id` (auth-protocol §1.13). */
export const getAdminUser: ServiceHandler = async (context, request) =>
  loadUserJson(context, await loadUser(context, request))

/** Handles `DELETE /admin/users/:id`: deletes the account as the product does. */
export const deleteAdminUser: ServiceHandler = async (context, request, deleteAccount) => {
  const { id } = await loadUser(context, request)
  const { should_soft_delete } = request.body === undefined ? {} : parseBody(AdminDeleteBody, request)
  if (should_soft_delete) failValidation('Soft deletion is not supported')
  try {
    await deleteAccount(context, { id, by: null })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') failUserNotFound()
    if (error.code === 'last_admin') fail('conflict', { message: errorText('last_admin', requestLocale(request)) })
    throw error
  }
  return {}
}
