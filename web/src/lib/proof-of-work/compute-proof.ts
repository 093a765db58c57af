import { solveChallengeWorkers } from 'altcha-lib'
import { getProofChallenge } from '#contract/proof-of-work.ts'
import { call } from '~/lib/http/api'

/** Leaves a phone some processor time for everything else. */
const MAX_WORKERS = 4

/** Fetches a challenge, solves it in the background, and returns the proof for `PROOF_HEADER`. */
export async function computeProof(): Promise<string> {
  const challenge = await call(getProofChallenge, {}, { withTimeout: true })
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
    createWorker: () => new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' }),
  })
  if (solution === null) throw new Error('the computation took too long')
  const { counter, derivedKey } = solution
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
