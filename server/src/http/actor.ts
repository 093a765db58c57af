import type { FastifyRequest } from 'fastify'

/** The user who makes a request, as the session and the account are at this moment. */
export type Actor = {
  id: string
  sessionId: string
  email: string
  emailConfirmed: boolean
  isAdmin: boolean
}

/**
 * Returns the user who makes a request, or refuses with `signed_out` or `session_ended`. Created by `auth/authenticate.ts`.
 * Called on every request, so that sign-out, suspension and deletion take effect immediately.
 */
export type Authenticate = (request: FastifyRequest) => Promise<Actor>
