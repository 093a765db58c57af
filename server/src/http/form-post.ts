import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, type EndpointDefinition, endpoint } from '#contract/endpoint.ts'
import { localizedPath } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { toRefusal } from './errors.ts'
import type { StaticPage } from './static-pages.ts'

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

/** A plain form at an address of the product. */
type Form = Pick<EndpointDefinition, 'headers' | 'status'> & {
  /** Without the language; may have parameters, which are fields too. */
  path: string
  summary: string
  fields: Record<string, z.ZodMiniType>
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Responds to what was refused. Of a body that was not read there are no fields. */
  sendRefusal: (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => void
}

/**
 * Registers plain forms (decision forms-before-scripts), each in both languages. Their bodies become `URLSearchParams`; nothing else is
 * taken. Each counts as a request of its network, after the body was read, which is small.
 *
 * @param maxBytes a larger body is not read
 * @param pages the built pages, if the web app is served too
 * @param register registers the forms of a language; `findPage` returns a built page, and undefined without a web app
 */
export function formRoutes(
  app: FastifyInstance,
  maxBytes: number,
  pages: Map<string, StaticPage> | undefined,
  register: (route: (form: Form) => void, findPage: (path: string) => StaticPage | undefined, locale: Locale) => void,
) {
  void app.register(async (scope) => {
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
    for (const locale of LOCALES) {
      const findPage = (path: string) => pages && (pages.get(`${localizedPath(path, locale)}/index.html`) ?? fail(path))
      register(
        ({ path, summary, fields, handle, sendRefusal, ...more }) => {
          const url = localizedPath(path, locale)
          scope.route({
            method: 'POST',
            url,
            config: { endpoint: formEndpoint(url, summary, fields, more) },
            handler: handle,
            errorHandler: (error, request, reply) => sendRefusal(toRefusal(request, error), request, reply),
          })
        },
        findPage,
        locale,
      )
    }
  })
}

const fail = (path: string): never => {
  throw new Error(`The build lacks ${path}.`)
}
