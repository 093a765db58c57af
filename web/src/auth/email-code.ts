import { m } from '~/paraglide/messages'
import { authRequest } from './auth-request.ts'
import { verifyEmailUrl } from './pending-sign-up.ts'

/**
 * Emails a code and a link to sign in with, or to confirm a sign-up with.
 *
 * @param shouldCreateUser whether a new address gets an account
 */
export const emailCode = (email: string, shouldCreateUser: boolean) =>
  authRequest(m.error_unexpected(), ({ auth }) =>
    auth.signInWithOtp({ email, options: { shouldCreateUser, emailRedirectTo: verifyEmailUrl() } }),
  )
