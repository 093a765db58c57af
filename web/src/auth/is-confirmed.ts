import { m } from '~/paraglide/messages'
import { attempt, type Outcome } from './attempt.ts'
import { signUpPassword } from './pending-sign-up.ts'

const notYet = (): Outcome<null> => ({
  state: 'failed',
  failure: { code: 'email_not_confirmed', text: m.verify_not_yet() },
})

/** Refusals that mean no more than that the link was not opened yet, or that another sign-up took this one's place. */
const NOT_YET = ['email_not_confirmed', 'invalid_credentials']

/**
 * Whether the address is confirmed, and if so signs in: with the password of the sign-up, while the page still has it
 * (the link may have been opened on another device, design decision 18), else by a session another tab has opened.
 */
export async function isConfirmed(email: string | null): Promise<Outcome<null>> {
  const password = signUpPassword()
  const outcome = await attempt(m.error_unexpected(), async ({ auth, currentSession }) => {
    if (email !== null && password !== null) {
      const { error } = await auth.signInWithPassword({ email, password })
      return { data: true, error }
    }
    const session = await currentSession()
    return { data: session !== null && (email === null || session.user.email === email), error: null }
  })
  if (outcome.state === 'failed') return NOT_YET.includes(outcome.failure.code ?? '') ? notYet() : outcome
  return outcome.data ? { state: 'done', data: null } : notYet()
}
