import type * as z from 'zod/mini'
import type { Endpoint, EndpointDefinition } from '#contract/endpoint.ts'

/** Returns an endpoint with its schemas and its summary, which only the server has. */
export const definitionOf = <I extends z.ZodMiniType, O extends z.ZodMiniType>(endpoint: Endpoint<I, O>) =>
  endpoint as EndpointDefinition<I, O>
