import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The header with a computation that was done, in base64 of its JSON (`Proof`). */
export const PROOF_HEADER = 'proof-of-work'
export const PROOF_HEADER_USE = 'base64 of {challenge, solution}, once the call was refused with proof_needed'

const Hex = z.string().check(z.maxLength(200), z.regex(/^(?:[0-9a-f]{2})+$/))

/** A computation to do, in the format of ALTCHA; the signature is ours. */
export const Challenge = z.object({
  parameters: z.object({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.int(),
    expiresAt: z.int(),
    keyLength: z.int(),
    keyPrefix: Hex,
    keySignature: Hex,
    nonce: Hex,
    salt: Hex,
  }),
  signature: Hex,
})
export type Challenge = z.infer<typeof Challenge>

export const Proof = z.object({
  challenge: Challenge,
  solution: z.object({ counter: z.int().check(z.minimum(0)), derivedKey: Hex }),
})

export const getProofChallenge = endpoint({
  method: 'GET',
  path: '/api/proof-of-work',
  audience: 'public',
  summary: 'A computation to do before a call that was refused with `proof_needed`; each is good for one call.',
  output: Challenge,
})
