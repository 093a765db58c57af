import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { PROOF_HEADER } from '#contract/proof-of-work.ts'
import { ApiError, type CallOptions, call } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'

/**
 * Calls an endpoint (`call`) that demands a computation when many tries fail everywhere. Its code is loaded only then, and the
 * proof is sent with a second request.
 *
 * @param onWork called before the computation starts
 */
export async function callWithProof<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
  { onWork, ...options }: CallOptions & { onWork?: () => void } = {},
): Promise<z.output<O>> {
  try {
    return await call(endpoint, input, options)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_needed') throw error
    onWork?.()
    const { computeProof } = await loadModule(import('./compute-proof.ts'))
    return call(endpoint, input, { ...options, headers: { ...options.headers, [PROOF_HEADER]: await computeProof() } })
  }
}
