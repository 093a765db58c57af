import type { FastifyRequest } from 'fastify'

/** Who makes a request, as the session row and the account say at this moment. */
export type Actor = {
  id: string
  sessionId: string
  email: string
  emailConfirmed: boolean
  isAdmin: boolean
}

/**
 * Finds out who makes a request, or refuses with `signed_out` or `session_ended`. Built by `auth/authenticate.ts`;
 * asked on every request, so that sign-out, suspension and deletion act at once.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Actor>
