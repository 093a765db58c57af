import { solveChallengeWorkers } from 'altcha-lib'
import { getProofChallenge } from '#contract/proof-of-work.ts'
import { call } from '~/lib/http/api'

/** Leaves a phone something for everything else. */
const MAX_WORKERS = 4

/** Gets a computation, does it in the background, and returns what proves it, for `PROOF_HEADER`. */
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
