import { m } from '~/paraglide/messages'
import { attempt } from './attempt.ts'

export type LinkTokens = { accessToken: string; refreshToken: string }

const asSession = ({ accessToken, refreshToken }: LinkTokens) => ({
  access_token: accessToken,
  refresh_token: refreshToken,
})

/** Asks the server whose session a link opened, without keeping it; and who else is signed in here (design decision 20). */
export const checkLink = (tokens: LinkTokens) =>
  attempt(m.auth_error_link(), async ({ unstoredAuth, currentSession }) => {
    const { data, error } = await unstoredAuth().setSession(asSession(tokens))
    const current = error ? null : await currentSession()
    const other = current && current.user.id !== data.user?.id ? current.user : null
    return { data: { email: data.user?.email ?? '', signedInAs: other?.email ?? null }, error }
  })

/** Signs in as the person of the link; whoever was signed in before is signed out first, in every tab. */
export const takeLinkSession = (tokens: LinkTokens, { instead }: { instead: boolean }) =>
  attempt(m.auth_error_link(), async ({ auth }) => {
    if (instead) await auth.signOut({ scope: 'local' })
    return auth.setSession(asSession(tokens))
  })

/** Ends the session of a link nobody wants. */
export const dropLinkSession = ({ accessToken }: LinkTokens) =>
  attempt(m.error_unexpected(), ({ auth }) => auth.admin.signOut(accessToken, 'local'))
