import { m } from '~/paraglide/messages'
import { authRequest } from './auth-request.ts'

export type LinkTokens = { accessToken: string; refreshToken: string }

const toSession = ({ accessToken, refreshToken }: LinkTokens) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
})

/** Returns whose session a link opens, without storing it, and who else is signed in here (decision 0065). */
export const inspectLink = (tokens: LinkTokens) =>
  authRequest(m.auth_error_link(), async ({ createTransientAuth, currentSession }) => {
    const { data, error } = await createTransientAuth().setSession(toSession(tokens))
    const current = error ? null : await currentSession()
    const other = current && current.user.id !== data.user?.id ? current.user : null
    return { data: { email: data.user?.email ?? '', signedInAs: other?.email ?? null }, error }
  })

/** Signs in with the session of a link. `replaceSession` first signs out, in every tab, whoever is signed in. */
export const acceptLinkSession = (tokens: LinkTokens, { replaceSession }: { replaceSession: boolean }) =>
  authRequest(m.auth_error_link(), async ({ auth }) => {
    if (replaceSession) await auth.signOut({ scope: 'local' })
    return auth.setSession(toSession(tokens))
  })

/** Ends the session of a link that the user declined. */
export const revokeLinkSession = ({ accessToken }: LinkTokens) =>
  authRequest(m.error_unexpected(), ({ auth }) => auth.admin.signOut(accessToken, 'local'))
