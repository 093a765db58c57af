import { solveChallengeWorkers } from 'altcha-lib'
import { type Challenge, getProofChallenge } from '#contract/proof-of-work.ts'
import { SECOND_MS } from '#contract/time.ts'

/** Leaves a phone some processor time for everything else. */
const MAX_WORKERS = 4
const TIMEOUT_MS = 30 * SECOND_MS

/** Fetches a challenge, solves it in the background, and returns the proof for `PROOF_HEADER`. Uses nothing of the app: plain forms load it too. */
export async function computeProof(): Promise<string> {
  const response = await fetch(getProofChallenge.path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`no challenge: ${response.status}`)
  const challenge: Challenge = await response.json()
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
    createWorker: () => new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' }),
  })
  if (solution === null) throw new Error('the computation took too long')
  const { counter, derivedKey } = solution
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
