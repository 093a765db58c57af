import { useCallback, useEffect, useState } from 'react'
import { getOwnSanction, type OwnSanction } from '#contract/sanctions.ts'
import { apiFailure } from '~/auth/AuthFailureAlert'
import type { AuthFailure } from '~/auth/auth-error-text'
import { call } from '~/lib/http/api'
import { hasStoredSession } from '~/lib/session/stored-session'

/** The state of loading a sanction. */
type SanctionState =
  | { status: 'loading' }
  | { status: 'failed'; failure: AuthFailure }
  | { status: 'shown'; sanction: OwnSanction }

/** Known without asking the server. */
const SIGNED_OUT: SanctionState = {
  status: 'failed',
  failure: { code: 'signed_out', text: '', retryAfterS: undefined },
}

/**
 * Reads the sanction of an emailed link, or the newest one of the signed-in user.
 *
 * @param token undefined: without a link
 */
export function useSanction(token: string | undefined): SanctionState & { retry: () => void } {
  const [state, setState] = useState<SanctionState>(() =>
    token === undefined && !hasStoredSession() ? SIGNED_OUT : { status: 'loading' },
  )
  const isLoading = state.status === 'loading'
  useEffect(() => {
    if (!isLoading) return
    const aborter = new AbortController()
    const input = token === undefined ? {} : { token }
    const options = { signal: aborter.signal, ...(token === undefined && { asUser: true as const }) }
    call(getOwnSanction, input, options)
      .then((sanction) => setState({ status: 'shown', sanction }))
      .catch((error: unknown) => {
        if (!aborter.signal.aborted) setState({ status: 'failed', failure: apiFailure(error) })
      })
    return () => aborter.abort()
  }, [isLoading, token])
  return { ...state, retry: useCallback(() => setState({ status: 'loading' }), []) }
}
