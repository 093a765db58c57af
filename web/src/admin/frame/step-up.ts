import { ApiError } from '~/lib/http/api'

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
