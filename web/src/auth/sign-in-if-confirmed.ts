import { m } from '~/paraglide/messages'
import { type AuthResult, authRequest } from './auth-request.ts'
import { getPendingPassword, isAddressOf } from './pending-sign-up.ts'

const notConfirmed = (): AuthResult<null> => ({
  state: 'failed',
  failure: { code: 'email_not_confirmed', text: m.verify_not_yet() },
})

/** Error codes that only mean that the link was not opened yet, or that another sign-up has replaced this one. */
const NOT_CONFIRMED_CODES = ['email_not_confirmed', 'invalid_credentials']

/**
 * Signs in if the address is confirmed: with the password of the sign-up while the page still has it (the link may have
 * been opened on another device, decision mailed-links), else with a session that another tab has opened.
 */
export async function signInIfConfirmed(email: string | null): Promise<AuthResult<null>> {
  const password = getPendingPassword()
  const outcome = await authRequest(m.error_unexpected(), async ({ auth, currentSession }) => {
    if (email !== null && password !== null) {
      const { error } = await auth.signInWithPassword({ email, password })
      return { data: true, error }
    }
    const session = await currentSession()
    return { data: session !== null && (email === null || isAddressOf(session.user, email)), error: null }
  })
  if (outcome.state === 'failed')
    return NOT_CONFIRMED_CODES.includes(outcome.failure.code ?? '') ? notConfirmed() : outcome
  return outcome.data ? { state: 'done', data: null } : notConfirmed()
}
