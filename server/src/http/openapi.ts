import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { PRODUCT } from '#contract/product.ts'
import { endpoints } from './route.ts'

const schemaOf = (type: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema as { properties?: Record<string, unknown>; required?: string[]; oneOf?: unknown[] }
}

const ERROR = {
  description: 'A refusal: a text for people and a code for software.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function operation({ method, path, audience, status, summary, input, output }: Endpoint) {
  const { properties = {}, required = [], oneOf } = schemaOf(input, 'input')
  const inPath = [...path.matchAll(/:(\w+)/g)].map((m) => m[1]!)
  const inBody = method !== 'GET' && method !== 'DELETE'
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name))
  const needed = required.filter((name) => !inPath.includes(name))
  // a body of several shapes, or what of the input is not in the path
  const body = oneOf ? { oneOf } : { type: 'object', properties: Object.fromEntries(rest), required: needed }
  return {
    summary,
    ...(audience === 'public' ? { security: [] } : { 'x-audience': audience }),
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] ?? {} })),
      ...(inBody ? [] : rest.map(([name, schema]) => ({ name, in: 'query', required: needed.includes(name), schema }))),
    ],
    ...(inBody &&
      (oneOf || rest.length > 0) && {
        requestBody: {
          required: oneOf !== undefined || needed.length > 0,
          content: { 'application/json': { schema: body } },
        },
      }),
    responses: {
      [status]:
        status === 204
          ? { description: 'Done.' }
          : { description: 'Done.', content: { 'application/json': { schema: schemaOf(output, 'output') } } },
      default: ERROR,
    },
  }
}

/** The contract as OpenAPI 3.1, made from the endpoints that are really served. */
export function describe(publicUrl: string, served: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of served) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
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

/** `GET /openapi.json` */
export function openApiRoute(app: FastifyInstance, publicUrl: string) {
  let text: string | undefined
  app.get('/openapi.json', async (_, reply) => {
    text ??= JSON.stringify(describe(publicUrl, endpoints(app)))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text)
  })
}
