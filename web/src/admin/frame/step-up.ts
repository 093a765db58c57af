import { FRESH_FACTOR_S } from '#contract/auth.ts'
import { MINUTE_S, SECOND_MS } from '#contract/time.ts'
import { ApiError } from '~/lib/http/api'
import { getAccessToken } from '~/lib/session/session'
import { readClaims } from '~/lib/session/stored-session'
import { now } from '~/lib/time/now'

/** Asks the admin for a second factor; resolves with whether they gave it. */
type AskForFactor = () => Promise<boolean>

let askForFactor: AskForFactor | null = null

/** Sets who asks (StepUp.tsx), or null when the admin area is left. */
export const setAskForFactor = (ask: AskForFactor | null): void => {
  askForFactor = ask
}

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
