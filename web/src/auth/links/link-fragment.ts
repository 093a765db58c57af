import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The content of a link from an email, in the fragment of the address (auth-protocol §1.9). */
export type LinkFragment =
  | { state: 'none' }
  | { state: 'tokens'; accessToken: string; refreshToken: string }
  /** An access token without a refresh token: the link was truncated. */
  | { state: 'incomplete' }
  /** The link was refused. */
  | { state: 'refused' }

/** Parses the fragment of an address. */
function readLinkFragment(hash: string): LinkFragment {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const accessToken = values.get('access_token')
  const refreshToken = values.get('refresh_token')
  if (accessToken && refreshToken) return { state: 'tokens', accessToken, refreshToken }
  if (accessToken) return { state: 'incomplete' }
  if (values.has('error') || values.has('error_description')) return { state: 'refused' }
  return { state: 'none' }
}

/** Returns the content of the link to this page, and removes it from the address bar and the history at once. */
export function useLinkFragment(): LinkFragment {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [fragment] = useState(() => readLinkFragment(hash))
  const hasFragment = readLinkFragment(hash).state !== 'none'
  useEffect(() => {
    if (!hasFragment) return
    history.replaceState(history.state, '', pathname + search)
    // the router has its own copy, from which the language switch would write the tokens back
    void navigate({ pathname, search }, { replace: true })
  }, [hasFragment, pathname, search, navigate])
  return fragment
}
