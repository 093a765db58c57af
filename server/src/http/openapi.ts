import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { PRODUCT } from '#contract/product.ts'
import { definitionOf } from './endpoint-definition.ts'
import { servedEndpoints } from './route.ts'

const toJsonSchema = (type: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema as { properties?: Record<string, unknown>; required?: string[]; oneOf?: unknown[] }
}

const ERROR_RESPONSE = {
  description: 'A refusal: a text for people and a code for software.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function describeOperation(endpoint: Endpoint) {
  const { method, path, audience, status, summary, input, output } = definitionOf(endpoint)
  const { properties = {}, required = [], oneOf } = toJsonSchema(input, 'input')
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const rest = Object.entries(properties).filter(([name]) => !pathParameters.includes(name))
  const requiredNames = required.filter((name) => !pathParameters.includes(name))
  // a body of several shapes, or the part of the input that is not in the path
  const body = oneOf ? { oneOf } : { type: 'object', properties: Object.fromEntries(rest), required: requiredNames }
  return {
    summary,
    ...(audience === 'public' ? { security: [] } : { 'x-audience': audience }),
    parameters: [
      ...pathParameters.map((name) => ({ name, in: 'path', required: true, schema: properties[name] ?? {} })),
      ...(hasBody
        ? []
        : rest.map(([name, schema]) => ({ name, in: 'query', required: requiredNames.includes(name), schema }))),
    ],
    ...(hasBody &&
      (oneOf || rest.length > 0) && {
        requestBody: {
          required: oneOf !== undefined || requiredNames.length > 0,
          content: { 'application/json': { schema: body } },
        },
      }),
    responses: {
      [status]:
        status === 204
          ? { description: 'Done.' }
          : { description: 'Done.', content: { 'application/json': { schema: toJsonSchema(output, 'output') } } },
      default: ERROR_RESPONSE,
    },
  }
}

/** Returns the contract as OpenAPI 3.1, built from the endpoints that are actually served. */
export function buildOpenApi(publicUrl: string, endpoints: readonly Endpoint[]) {
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
            code: { type: 'string', enum: Object.keys(ERRORS) },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            provinces: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  }
}

/** Registers `GET /openapi.json`. */
export function openApiRoute(app: FastifyInstance, publicUrl: string) {
  let text: string | undefined
  app.get('/openapi.json', async (_, reply) => {
    text ??= JSON.stringify(buildOpenApi(publicUrl, servedEndpoints(app)))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text)
  })
}
