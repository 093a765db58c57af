import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type LinkFragment, readLinkFragment } from './link-fragment.ts'

/** What the link that led here brought along. The fragment leaves the address bar, and the history, at once. */
export function useLinkFragment(): LinkFragment {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [fragment] = useState(() => readLinkFragment(hash))
  const hasFragment = readLinkFragment(hash).state !== 'none'
  useEffect(() => {
    if (!hasFragment) return
    history.replaceState(history.state, '', pathname + search)
    // the router keeps a copy of its own, from which the language switch would write the tokens back
    void navigate({ pathname, search }, { replace: true })
  }, [hasFragment, pathname, search, navigate])
  return fragment
}
