import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, endpoint } from '#contract/endpoint.ts'

/**
 * Returns the endpoint of a form that browsers post without scripts.
 *
 * @param path may have parameters, which are fields too
 */
export const formEndpoint = (
  path: string,
  summary: string,
  fields: Record<string, z.ZodMiniType>,
  status: 200 | 303 = 200,
): Endpoint =>
  endpoint({
    method: 'POST',
    path: path as Endpoint['path'],
    audience: 'public',
    status,
    summary,
    input: z.object(fields),
    requestType: 'application/x-www-form-urlencoded',
    output: z.string(),
    responseType: 'text/html',
  })

/** Returns whether the form was on our own page, as far as the browser says (Fetch Metadata §2.2: every browser since 2023). */
export const isSameOrigin = ({ headers }: FastifyRequest): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined)

/**
 * Makes a part of the app take forms as browsers post them without scripts, and nothing else: the body becomes
 * `URLSearchParams`. Each counts as a request of its network, after the body was read, which is small.
 *
 * @param maxBytes a larger body is not read
 */
export function acceptForms(scope: FastifyInstance, maxBytes: number) {
  scope.addHook('preHandler', async (request) => scope.countRequest(request))
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    async (_: FastifyRequest, body: string) => new URLSearchParams(body),
  )
}
