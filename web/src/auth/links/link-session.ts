import type { Factor, Session } from '@supabase/auth-js'
import { shownEmail } from '#contract/auth.ts'
import { authRequest } from '~/auth/auth-request'
import { verifiedFactors } from '~/auth/factors'
import { getPendingEmail, getPendingSecret, isAddressOf, isPendingByCode, sendIntentOf } from '~/auth/pending-sign-up'
import { redirectTarget } from '~/auth/safe-redirect'
import type { TransientAuth } from '~/lib/session/session.client'
import { m } from '~/paraglide/messages'

export type LinkTokens = { accessToken: string; refreshToken: string }

type AuthClientModule = typeof import('~/lib/session/session.client')

/** A session that is not stored before it is known what there is to ask. */
export type UnstoredSession = { client: TransientAuth; session: Session }

/** A link or code from an email, whose session is not stored, nor the link used up, before somebody says so. */
export type OpenedLink = {
  email: string
  userId: string
  client: TransientAuth
  /** Whether this browser waits for a link to this address. Any other may be a stranger's own, sent to sign us in. */
  isExpected: boolean
  /** Who else is signed in here; null for nobody. */
  signedInAs: string | null
  /** The account's password: it has one; that of the only sign-up may be kept; or one has to be chosen (decision mailed-links). */
  password: 'set' | 'waiting' | 'missing'
  /** The second factors, one of which the link's session is to be verified with; none once it is. */
  factors: Factor[]
  /** Where to go once it is signed in. */
  target: string
}

/** Finds out whose session a link opens, and what there is to ask (decision mailed-links). Neither stores it nor uses the link up. */
export const inspectLink = (tokens: LinkTokens): Promise<OpenedLink> =>
  authRequest(m.auth_error_link(), async (module) => {
    const { client, session, error } = await module.openTransientSession(tokens)
    return error ? { data: null, error } : inspect(module, { client, session })
  })

/** Finds out the same about a session that a code has opened. */
export const inspectUnstored = (opened: UnstoredSession): Promise<OpenedLink> =>
  authRequest(m.auth_error_link(), (module) => inspect(module, opened))

async function inspect(
  { currentSession, fetchSignUpPassword }: AuthClientModule,
  { client, session }: UnstoredSession,
) {
  const found = await fetchSignUpPassword(session.access_token)
  if (found.error) return { data: null, error: found.error }
  const { id } = session.user
  const current = await currentSession()
  return {
    data: {
      email: shownEmail(session.user),
      userId: id,
      client,
      isExpected: isAddressOf(session.user, getPendingEmail()),
      signedInAs: current && current.user.id !== id ? shownEmail(current.user) : null,
      password: found.data.password,
      factors: verifiedFactors(session.user),
      target: redirectTarget(sendIntentOf(session.user)),
    },
    error: null,
  }
}

/**
 * Verifies the code of an email. Signs in at once where there is nothing to ask; otherwise, after a sign-up or where
 * somebody is signed in, the result is the session to inspect.
 */
export const verifyEmailedCode = (email: string, token: string): Promise<UnstoredSession | null> =>
  authRequest(m.error_unexpected(), async ({ auth, createTransientAuth, currentSession }) => {
    const isPlain = isPendingByCode() && getPendingSecret() === null && (await currentSession()) === null
    const client = isPlain ? auth : createTransientAuth()
    const { data, error } = await client.verifyOtp({ type: 'email', email, token })
    const opened = isPlain || !data.session ? null : { client, session: data.session }
    return { data: opened, error }
  })

/** How somebody shows that a sign-up was theirs: this browser made it, or they say so. */
export type PasswordClaim = 'made-here' | 'stated'

/** Keeps the password of a sign-up. The result is false when it cannot be kept, and one has to be chosen. */
export const keepSignUpPassword = ({ client, isExpected }: OpenedLink, claim: PasswordClaim): Promise<boolean> =>
  authRequest(m.auth_error_link(), async ({ postSignUpPassword }) => {
    // the secret belongs to the address this browser waits for
    const secret = claim === 'made-here' && isExpected ? getPendingSecret() : null
    if (claim === 'made-here' && secret === null) return { data: false, error: null }
    const { data, error } = await client.getSession()
    if (error || !data.session) return { data: false, error }
    return postSignUpPassword(data.session.access_token, secret === null ? { keep: true } : { secret })
  })

/** Sets the password that somebody chose instead of that of a sign-up. */
export const chooseLinkPassword = ({ client }: OpenedLink, password: string) =>
  authRequest<unknown>(m.error_unexpected(), () => client.updateUser({ password }))

/** Signs in with the session of a link, which uses the link up, and signs any other user out in every tab. */
export const acceptLinkSession = ({ client }: OpenedLink) =>
  authRequest(m.auth_error_link(), async ({ adoptSessionOf }) => {
    // what this page has read is no use of the link; a change of nothing is one
    const { error } = await client.updateUser({})
    return error ? { data: null, error } : adoptSessionOf(client)
  })
