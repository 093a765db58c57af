import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../http/actor.ts'
import type { BearerChecker, LinkUse } from '../authenticate.ts'
import { fail } from '../errors.ts'

const INVALID_JWT = 'invalid JWT: unable to parse or verify signature'

/**
 * Returns the caller, or fails as auth-protocol §1.0 says. A bad token is a 403: on 401 clients would keep their
 * session.
 */
export async function requireUser(
  checkBearer: BearerChecker,
  request: FastifyRequest,
  linkUse?: LinkUse,
): Promise<Actor> {
  const bearer = await checkBearer(request, linkUse)
  switch (bearer.state) {
    case 'signed_in':
      return bearer.actor
    case 'none':
      return fail('no_authorization')
    case 'unreadable':
      return fail('bad_jwt', { message: `${INVALID_JWT}, token is malformed or not ours` })
    case 'expired':
      return fail('bad_jwt', { message: `${INVALID_JWT}, token has expired` })
    case 'no_subject':
      return fail('bad_jwt', { message: 'invalid claim: missing sub claim' })
    case 'bad_subject':
      return fail('bad_jwt', { message: 'invalid claim: sub claim must be a UUID', status: 400 })
    case 'user_gone':
      return fail('user_not_found')
    case 'session_gone':
      return fail('session_not_found')
  }
}
