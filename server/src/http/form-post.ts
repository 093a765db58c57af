import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, type EndpointDefinition, endpoint } from '#contract/endpoint.ts'
import { refuse } from '../refusal.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Returns the endpoint of a plain form (decision forms-before-scripts).
 *
 * @param path may have parameters, which are fields too
 */
export const formEndpoint = (
  path: string,
  summary: string,
  fields: Record<string, z.ZodMiniType>,
  more: Pick<EndpointDefinition, 'headers' | 'status'> = {},
): Endpoint =>
  endpoint({
    method: 'POST',
    path: path as Endpoint['path'],
    audience: 'public',
    ...more,
    summary,
    input: z.object(fields),
    requestType: FORM_TYPE,
    output: z.string(),
    responseType: 'text/html',
  })

/** Returns the fields of a form; none for anything else. */
export const formFields = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** Returns what was typed into these fields, unchanged; a missing one is empty. */
export function readFields<Name extends string>(request: FastifyRequest, names: readonly Name[]): Record<Name, string> {
  const form = formFields(request)
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? ''])) as Record<Name, string>
}

/**
 * Makes a part of the app take plain forms, and nothing else. The body becomes `URLSearchParams`.
 * Each counts as a request of its network, after the body was read, which is small.
 *
 * @param maxBytes a larger body is not read
 */
export function acceptForms(scope: FastifyInstance, maxBytes: number) {
  scope.addHook('preHandler', async (request) => {
    scope.countRequest(request)
    if (!(request.body instanceof URLSearchParams)) refuse('unsupported_media_type')
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: maxBytes },
    async (_: FastifyRequest, body: string) => new URLSearchParams(body),
  )
}
