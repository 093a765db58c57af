import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { type Endpoint, endpoint } from '#contract/endpoint.ts'
import { ERROR_STATUS } from '#contract/errors.ts'
import { PRODUCT } from '#contract/product.ts'
import { definitionOf } from './route.ts'

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; type?: string }

const JSON_TYPE = 'application/json'

const toJsonSchema = (type: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema as JsonSchema
}

const contentOf = (type: string, schema: object) => ({ content: { [type]: { schema } } })

const toParameters = (where: 'path' | 'query', { properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([name, schema]) => ({ name, in: where, required: required.includes(name), schema }))

/** Divides an input into what is in the path and what is in the query or the body. */
function divideInput(path: string, input: JsonSchema) {
  const names = [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
  const pathParameters = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: input.properties?.[name] ?? { type: 'string' },
  }))
  // a list of shapes, or a text
  if (input.type !== 'object') return { pathParameters, rest: input, isEmpty: false }
  const properties = Object.fromEntries(
    Object.entries(input.properties ?? {}).filter(([name]) => !names.includes(name)),
  )
  const required = (input.required ?? []).filter((name) => !names.includes(name))
  const rest = { type: 'object', properties, required }
  return { pathParameters, rest, isEmpty: Object.keys(properties).length === 0 }
}

function describeRefusal({ path, responseType }: ReturnType<typeof definitionOf>) {
  if (responseType === 'text/html')
    return { description: 'A page that says what is wrong.', ...contentOf(responseType, {}) }
  const name = path.startsWith('/auth/v1/') ? 'AuthError' : 'Error'
  const description = 'A refusal: a text for people and a code for software.'
  return { description, ...contentOf(JSON_TYPE, { $ref: `#/components/schemas/${name}` }) }
}

function describeOperation(served: Endpoint) {
  const definition = definitionOf(served)
  const { method, path, audience, status, summary, query, headers = {} } = definition
  const { requestType = JSON_TYPE, responseType = JSON_TYPE } = definition
  const { pathParameters, rest, isEmpty } = divideInput(path, toJsonSchema(definition.input, 'input'))
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const inQuery = hasBody ? query && toJsonSchema(query, 'input') : rest
  const hasContent = status === 200 || status === 201
  return {
    summary,
    ...(audience === 'public' ? { security: [] } : { 'x-audience': audience }),
    parameters: [
      ...pathParameters,
      ...(inQuery ? toParameters('query', inQuery) : []),
      ...Object.entries(headers).map(([name, description]) => ({
        ...{ name, in: 'header', required: false, description },
        schema: { type: 'string' },
      })),
    ],
    ...(hasBody &&
      !isEmpty && {
        requestBody: { required: rest.required?.length !== 0, ...contentOf(requestType, rest) },
      }),
    responses: {
      [status]: {
        description: 'Done.',
        ...(hasContent && contentOf(responseType, toJsonSchema(definition.output, 'output'))),
      },
      default: describeRefusal(definition),
    },
  }
}

/** Returns the calls as OpenAPI 3.1, built from the endpoints that are actually served. */
function buildOpenApi(publicUrl: string, endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: PRODUCT, version: '1', description: 'Reach the owner of a vehicle knowing only its licence plate.' },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['error', 'code'],
          properties: {
            error: { type: 'string' },
            code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            provinces: { type: 'array', items: { type: 'string' } },
          },
        },
        // before the version of its headers, clients read error_code and msg (auth-protocol §2.1)
        AuthError: {
          type: 'object',
          required: ['code'],
          properties: {
            code: { type: ['string', 'integer'] },
            message: { type: 'string' },
            error_code: { type: 'string' },
            msg: { type: 'string' },
            weak_password: { type: 'object', properties: { reasons: { type: 'array', items: { type: 'string' } } } },
          },
        },
      },
    },
  }
}

const getOpenApi = endpoint({
  method: 'GET',
  path: '/openapi.json',
  audience: 'public',
  summary: 'This description.',
  output: z.record(z.string(), z.unknown()),
})

declare module 'fastify' {
  interface FastifyInstance {
    /** Those that are registered. */
    endpoints: readonly Endpoint[]
  }
}

/** Collects the endpoints that are registered from now on. */
export function collectEndpoints(app: FastifyInstance) {
  const endpoints: Endpoint[] = []
  app.decorate('endpoints', endpoints)
  app.addHook('onRoute', ({ method, config }) => {
    // a HEAD route that Fastify adds to a GET has its configuration too
    if (config?.endpoint && method === config.endpoint.method) endpoints.push(config.endpoint)
  })
}

/** Registers `GET /openapi.json`, which describes the endpoints when it is first asked. */
export function openApiRoute(app: FastifyInstance, publicUrl: string) {
  let text: string | undefined
  app.get(getOpenApi.path, { config: { endpoint: getOpenApi } }, async (_, reply) => {
    text ??= JSON.stringify(buildOpenApi(publicUrl, app.endpoints))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text)
  })
}
