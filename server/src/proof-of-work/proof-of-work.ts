import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Challenge, getProofChallenge, PROOF_HEADER, Proof } from '#contract/proof-of-work.ts'
import type { AppContext } from '../context.ts'
import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { publicRoute } from '../http/route.ts'
import { ceilingCount, consumeCounts } from '../limits/enforce-limit.ts'
import { consume, readCount } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { MINUTE_MS, MINUTE_S } from '../time.ts'

/** How long a computation is good for: long enough for the slowest phone. */
const VALID_MINUTES = 10
const ALGORITHM = 'PBKDF2/SHA-256'
/** Iterations of one step, and the steps until the right one: a second of a computer, a few of a small phone. */
const COST = 5_000
const [MIN_STEPS, MAX_STEPS] = [300, 700]

const secretsOf = (keyring: Keyring) => ({
  hmacSignatureSecret: keyedHash(keyring, 'proof of work', 'challenge').toString('base64url'),
  hmacKeySignatureSecret: keyedHash(keyring, 'proof of work', 'key').toString('base64url'),
})

/** Makes a computation for a browser to do; nothing about it is stored. */
async function makeChallenge({ keyring }: Pick<AppContext, 'keyring'>): Promise<Challenge> {
  const challenge = await createChallenge({
    algorithm: ALGORITHM,
    cost: COST,
    counter: randomInt(MAX_STEPS, MIN_STEPS),
    deriveKey,
    expiresAt: new Date(Date.now() + VALID_MINUTES * MINUTE_MS),
    ...secretsOf(keyring),
  })
  return z.parse(Challenge, challenge)
}

/** Registers the route with which a browser gets a computation to do. */
export function proofOfWorkRoutes(app: FastifyInstance, context: AppContext) {
  publicRoute(app, getProofChallenge, () => makeChallenge(context))
}

/** Counts a try of somebody at a vehicle that was refused, whatever the reason and whether or not there is such a tag or note. */
export async function countGuestFailure({ config, db, log }: Pick<AppContext, 'config' | 'db' | 'log'>): Promise<void> {
  await consumeCounts(db, log, [ceilingCount(config, 'guestFailures')])
}

/**
 * Asks for a computation when many tries have failed in the last minutes, anywhere in the installation: somebody guesses from
 * many networks at once. On a calm day it asks for nothing. It depends on nothing that the request names.
 *
 * Refuses with `proof_needed`.
 */
export async function requireProof(
  { config, db, keyring }: Pick<AppContext, 'config' | 'db' | 'keyring'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<void> {
  const failures = ceilingCount(config, 'guestFailures')
  if ((await readCount(db, failures)) < failures.max) return
  const proof = z.safeParse(Proof, parseHeader(headers[PROOF_HEADER]))
  if (!proof.success) refuse('proof_needed')
  const { challenge, solution } = proof.data
  const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(keyring) })
  if (!verified) refuse('proof_needed')
  // each is good for one try, at whatever process
  const spent = `proof:${keyedHash(keyring, 'counter', challenge.signature).toString('base64url')}`
  if (!(await consume(db, spent, 1, VALID_MINUTES * MINUTE_S)).allowed) refuse('proof_needed')
}

function parseHeader(header: string | string[] | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(String(header), 'base64').toString())
  } catch {
    return null
  }
}
