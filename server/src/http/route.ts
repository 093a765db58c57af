import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { EmptyObject, type Endpoint, type EndpointDefinition, NoContent } from '#contract/endpoint.ts'
import { refuse } from '../refusal.ts'
import { type Actor, type Authenticate, type AuthenticateOptions, requireSecondFactor } from './actor.ts'
import { parseFields } from './parse-fields.ts'

/** Returns an endpoint with all that only the server has of it. */
export function definitionOf<I extends z.ZodMiniType, O extends z.ZodMiniType>(endpoint: Endpoint<I, O>) {
  const definition = endpoint as EndpointDefinition<I, O>
  const { input = EmptyObject as unknown as I, output = NoContent as unknown as O } = definition
  return { ...definition, input, output, status: definition.status ?? (definition.output ? 200 : 204) }
}

declare module 'fastify' {
  interface FastifyInstance {
    authenticate: Authenticate
  }
  interface FastifyContextConfig {
    /** What the route does; `GET /openapi.json` describes it. */
    endpoint?: Endpoint
  }
  interface FastifyRequest {
    /** The authenticated user, set by guarded routes before anything else runs. */
    actor: Actor | null
  }
}

/** The request and the reply, for handlers that need more than the input. */
type RouteCall = { request: FastifyRequest; reply: FastifyReply }

/**
 * Parses an input, or refuses with the fields that are wrong: with `fields_missing` when one says that the plate or the message
 * is (requirements §5), otherwise with `invalid_input`.
 */
export function parseInput<T extends z.ZodMiniType>(type: T, value: unknown): z.output<T> {
  const parsed = parseFields(type, value)
  if ('data' in parsed) return parsed.data
  const isMissing = Object.values(parsed.fields).some(({ code }) => code === 'fields_missing')
  return refuse(isMissing ? 'fields_missing' : 'invalid_input', parsed)
}

/**
 * Replaces Fastify's JSON parser, which refuses the JSON content type with an empty body that auth-js sends to sign out.
 * Everything else is parsed as before; keys that would change a prototype are refused.
 */
export function registerJsonParser(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
  // a form or plain text is refused instead of being read as something
  app.removeContentTypeParser('text/plain')
}

function readInput({ method, path }: Endpoint, request: FastifyRequest): unknown {
  const body = request.body
  if (
    method !== 'GET' &&
    method !== 'DELETE' &&
    body !== undefined &&
    (typeof body !== 'object' || body === null || Array.isArray(body))
  ) {
    refuse('bad_json')
  }
  // parameters of the path win over a body
  const payload = method === 'GET' || method === 'DELETE' ? request.query : body
  return path.includes(':') ? { ...(payload as object), ...(request.params as object) } : (payload ?? {})
}

/** Fails at the start where a route is registered for others than its endpoint. */
function assertAudience({ path, audience }: Endpoint, ...allowed: Endpoint['audience'][]) {
  if (!allowed.includes(audience)) throw new Error(`${path} is for ${audience}`)
}

/** Returns what sends an endpoint's response, without undeclared fields, whatever a query returned. */
function createSender<O extends z.ZodMiniType>(endpoint: Endpoint<z.ZodMiniType, O>) {
  const { status, output } = definitionOf(endpoint)
  let compiled: O | undefined // with the first response: to compile all of them delays the start
  return (value: z.input<O>, reply: FastifyReply) => {
    reply.code(status)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (status === 204) return reply.send()
    compiled ??= z.compile(output)
    return compiled.parse(value)
  }
}

/** Registers an endpoint for everyone. Nothing unparsed gets in, nothing undeclared gets out. */
export function publicRoute<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O>,
  handle: (input: z.output<I>, call: RouteCall) => Promise<z.input<O>>,
) {
  assertAudience(endpoint, 'public')
  const { input: type } = definitionOf(endpoint)
  const send = createSender(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    handler: async (request, reply) => {
      const input = parseInput(type, readInput(endpoint, request))
      return send(await handle(input, { request, reply }), reply)
    },
  })
}

/** Registers an endpoint for signed-in users, or for those among them whose email address is confirmed. */
export function userRoute<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O>,
  handle: (input: z.output<I>, actor: Actor, call: RouteCall) => Promise<z.input<O>>,
  options: AuthenticateOptions = {},
) {
  assertAudience(endpoint, 'user', 'verified')
  registerGuardedJson(app, endpoint, handle, options)
}

/** Registers an endpoint for admins. */
export function adminRoute<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O>,
  handle: (input: z.output<I>, actor: Actor, call: RouteCall) => Promise<z.input<O>>,
) {
  assertAudience(endpoint, 'admin')
  registerGuardedJson(app, endpoint, handle)
}

/**
 * Registers an endpoint for signed-in users, or for admins, whose response is a stream of the feature: a download that may be
 * larger than memory. The feature sets its headers.
 */
export function downloadRoute<I extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I>,
  open: (input: z.output<I>, actor: Actor, call: RouteCall) => Promise<Readable>,
  options: AuthenticateOptions = {},
) {
  assertAudience(endpoint, 'user', 'admin')
  const { status } = definitionOf(endpoint)
  registerGuarded(app, endpoint, options, async (input, actor, call) => {
    const download = await open(input, actor, call)
    return call.reply.code(status).header('cache-control', 'no-store').send(download)
  })
}

function registerGuardedJson<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I, O>,
  handle: (input: z.output<I>, actor: Actor, call: RouteCall) => Promise<z.input<O>>,
  options: AuthenticateOptions = {},
) {
  const send = createSender(endpoint)
  registerGuarded(app, endpoint, options, async (input, actor, call) =>
    send(await handle(input, actor, call), call.reply),
  )
}

/** How long the result of an authorization may be used. */
const AUTHORIZATION_VALID_MS = 1_000

function registerGuarded<I extends z.ZodMiniType>(
  app: FastifyInstance,
  endpoint: Endpoint<I>,
  options: AuthenticateOptions,
  respond: (input: z.output<I>, actor: Actor, call: RouteCall) => Promise<unknown>,
) {
  const definition = definitionOf(endpoint)
  const authorize = async (request: FastifyRequest) => {
    const actor = await app.authenticate(request, options)
    if (endpoint.audience === 'verified' && !actor.emailConfirmed) refuse('email_not_confirmed')
    if (endpoint.audience === 'admin') {
      if (!actor.isAdmin) refuse('forbidden')
      requireSecondFactor(actor)
    }
    request.actor = actor
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // before the body is read, so that an unauthorized caller cannot make the server parse anything
    onRequest: authorize,
    handler: async (request, reply) => {
      // a body can be delayed for a minute, in which the session may have ended
      if (reply.elapsedTime > AUTHORIZATION_VALID_MS) await authorize(request)
      const input = parseInput(definition.input, readInput(endpoint, request))
      return respond(input, request.actor ?? refuse('signed_out'), { request, reply })
    },
  })
}
