import { useEffect, useRef, useState } from 'react'
import { FRESH_FACTOR_S } from '#contract/auth.ts'
import { MINUTE_S, SECOND_MS } from '#contract/time.ts'
import { ApiError } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import { getAccessToken } from '~/lib/session/session'
import { readClaims } from '~/lib/session/tab-session'
import { now } from '~/lib/time/now'

/** Asks the admin for a second factor; resolves with whether they gave it. Null outside of the admin area. */
let askForFactor: (() => Promise<boolean>) | null = null

/**
 * Does what needs a fresh second factor: when the server wants one, the admin is asked for it, and the work is done then.
 * Throws the server's error when they close the dialog.
 */
export async function withFreshFactor<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'fresh_factor_required' || !askForFactor) throw error
    if (!(await askForFactor())) throw error
    return work()
  }
}

/** Clocks differ, and responses take a while. */
const MARGIN_S = MINUTE_S

/** Returns when a session was last verified with a second factor, in Unix seconds; null when it never was. */
function factorTimeS(accessToken: string): number | null {
  const { amr } = readClaims(accessToken)
  const times = (Array.isArray(amr) ? amr : []).flatMap(({ method, timestamp }) =>
    (method === 'totp' || method === 'mfa/webauthn') && typeof timestamp === 'number' ? [timestamp] : [],
  )
  return times.length > 0 ? Math.max(...times) : null
}

/**
 * Asks for a second factor now, before something that is sent in a while, when the last one is not fresh any more by then.
 * Returns false when the admin closes the dialog. The server decides in any case (`withFreshFactor`).
 */
export async function confirmOldFactor(waitMs: number): Promise<boolean> {
  const token = await getAccessToken().catch(() => null)
  const verifiedS = token === null ? null : factorTimeS(token)
  if (!askForFactor || verifiedS === null) return true
  const ageS = (now() + waitMs) / SECOND_MS - verifiedS
  return ageS < FRESH_FACTOR_S - MARGIN_S || askForFactor()
}

type DialogModule = typeof import('./StepUpDialog.tsx')

/** Asks for a second factor when `withFreshFactor` wants one. The dialog is loaded then: most visits need none. */
export function StepUp() {
  const [open, setOpen] = useState(false)
  const [{ StepUpDialog }, setLoaded] = useState<Partial<DialogModule>>({})
  const settle = useRef<(given: boolean) => void>(() => {})

  useEffect(() => {
    askForFactor = async () => {
      settle.current(false) // two at once: the later one is shown
      const loaded = await loadModule(import('./StepUpDialog.tsx')).catch(() => null)
      if (!loaded) return false
      setLoaded(loaded)
      setOpen(true)
      return new Promise((resolve) => {
        settle.current = resolve
      })
    }
    return () => {
      askForFactor = null
    }
  }, [])
  const close = (given: boolean) => {
    setOpen(false)
    settle.current(given)
  }
  return StepUpDialog ? <StepUpDialog open={open} onClose={close} /> : null
}
