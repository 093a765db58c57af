import fc from 'fast-check'
import * as z from 'zod/mini'
import * as authBodies from '../../auth/protocol/request-input.ts'
import { PIXEL } from '../upload.ts'
import type { Cast } from './cast.ts'
import { FRAMINGS, type FuzzRequest } from './request.ts'
import { hostileText, makeValueArbitrary, type Schema, wrongValue } from './values.ts'

type Operation = {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
export type OpenApi = { paths: Record<string, Record<string, Operation>> }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'GÉT']

/** What the auth protocol reads from its queries and bodies beside what its schemas name. */
const AUTH_QUERY: Schema = {
  type: 'object',
  properties: {
    grant_type: { enum: ['password', 'refresh_token', 'pkce', 'id_token'] },
    type: { enum: ['signup', 'recovery', 'magiclink', 'email', 'invite', 'email_change'] },
    token: { type: 'string' },
    scope: { enum: ['global', 'local', 'others', 'all'] },
    redirect_to: {
      enum: ['http://platenote.test/login', 'https://evil.example/', 'javascript:alert(1)', '//x', '\\\\x'],
    },
    to: { type: 'string', format: 'email' },
  },
}

const authBody: Schema = {
  anyOf: Object.values(authBodies)
    .filter((exported) => typeof exported === 'object')
    .map((schema) => z.toJSONSchema(schema as z.ZodMiniType, { unrepresentable: 'any' }) as Schema),
}

const latin = fc.string({
  unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

/** Headers that mean something to a server, with values that often do not. */
const oddHeader: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'accept',
      'accept-encoding',
      'accept-language',
      'apikey',
      'content-encoding',
      'cookie',
      'expect',
      'forwarded',
      'host',
      'idempotency-key',
      'if-match',
      'if-modified-since',
      'if-none-match',
      'last-event-id',
      'origin',
      'range',
      'referer',
      'sec-fetch-site',
      'te',
      'trailer',
      'upgrade',
      'user-agent',
      'x-client-info',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-http-method-override',
      'x-request-id',
      'x-supabase-api-version',
    ),
    fc.oneof(
      latin,
      fc.constantFrom(
        '',
        '*',
        ',,;;q=',
        'fr;q=x',
        '100-continue',
        'websocket',
        'bytes=0-,-1',
        'gzip',
        '2024-01-01',
        'fr-CA',
        '::1',
        '[',
        'x'.repeat(7_000),
      ),
    ),
  ),
  fc.tuple(fc.string({ unit: fc.constantFrom(...'abcxyz-_09'), minLength: 1, maxLength: 20 }), latin),
)

const REPEATED_FIELDS = (n: number) => JSON.stringify({ filler: 'x'.repeat(n) })

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * Makes requests of one cast to routes (`METHOD url`), of which `openApi` describes the most.
 *
 * @param routes `common` ones get nine requests of ten
 */
export function makeRequestArbitrary(
  { common, rare }: { common: readonly string[]; rare: readonly string[] },
  openApi: OpenApi,
  { tokens, ids, words }: Cast,
): fc.Arbitrary<FuzzRequest> {
  const value = makeValueArbitrary(ids, words)
  const knownText = fc.constantFrom(...Object.values(ids).flat(), ...Object.values(words).flat())

  const segment = (schema: Schema = { type: 'string', format: 'uuid' }, name: string) =>
    fc.oneof(
      { weight: 20, arbitrary: value(schema, name).map(asText) },
      { weight: 2, arbitrary: knownText },
      { weight: 2, arbitrary: hostileText },
    )
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 9_000)

  const path = (url: string, parameters: NonNullable<Operation['parameters']>): fc.Arbitrary<string> => {
    // the word before a parameter says what it names: /api/vehicles/:id
    const fill = [...url.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, thing, name]) =>
      segment(parameters.find((parameter) => parameter.name === name)?.schema, `${thing}_${name}`),
    )
    const filled = fc.tuple(...fill).map((words) => {
      let at = 0
      return url.replace(/:\w+/g, () => encode(words[at++]!)).replaceAll('*', 'anything')
    })
    const mutated = fc
      .tuple(filled, fc.constantFrom('/', '//', '/..', '%2e%2e/', '%00', '%ff', ';x', '.json', '%', '#x', '\\', ' '))
      .map(([text, end]) => text + end)
    return fc.oneof({ weight: 12, arbitrary: filled }, { weight: 1, arbitrary: mutated })
  }

  const query = (isAuth: boolean, parameters: NonNullable<Operation['parameters']>): fc.Arbitrary<string> => {
    const own = parameters.filter((parameter) => parameter.in === 'query')
    const properties = isAuth
      ? AUTH_QUERY
      : { type: 'object', properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])) }
    const described = value(properties).map((fields) =>
      Object.entries(fields as Record<string, unknown>)
        .map(([name, one]) => `${name}=${encode(asText(one))}`)
        .join('&'),
    )
    const names = fc.constantFrom(
      ...own.map(({ name }) => name),
      'limit',
      'cursor',
      'q',
      'to',
      'id',
      '__proto__',
      'a[b]',
    )
    const odd = fc
      .array(fc.tuple(names, fc.oneof(hostileText, knownText)), { maxLength: 4 })
      .map((pairs) => pairs.map(([name, text]) => `${name}=${encode(text)}`).join('&'))
    return fc
      .oneof(
        { weight: 6, arbitrary: described },
        { weight: 2, arbitrary: odd },
        { weight: 1, arbitrary: latin.map(encodeURI) },
      )
      .map((text) => (text === '' ? '' : `?${text}`))
  }

  const json = (schema: Schema): fc.Arbitrary<Buffer> => {
    const valid = value(schema)
    const damaged = fc.tuple(valid, fc.nat(), wrongValue).map(([fields, at, wrong]) => {
      if (typeof fields !== 'object' || fields === null) return wrong
      const names = [...Object.keys(fields), 'constructor']
      return { ...fields, [names[at % names.length]!]: wrong }
    })
    const text = fc
      .oneof({ weight: 7, arbitrary: valid }, { weight: 4, arbitrary: damaged }, { weight: 1, arbitrary: wrongValue })
      .map((one) => JSON.stringify(one) ?? '')
    const broken = fc.oneof(
      fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))),
      text.map((whole) => `\ufeff${whole}`),
      text.map((whole) => whole.replace('{', '{"__proto__":{"is_admin":true},')),
      text.map((whole) => whole + whole),
    )
    return fc.oneof({ weight: 9, arbitrary: text }, { weight: 2, arbitrary: broken }).map((one) => Buffer.from(one))
  }

  type Content = { type: string | null; bytes: Buffer }
  const content = (schema: Schema, isJson: boolean): fc.Arbitrary<Content> => {
    const jsonBody = json(schema)
    const form = value(schema).map((fields) =>
      new URLSearchParams(
        Object.entries(Object(fields)).map(([name, one]): [string, string] => [name, asText(one).toWellFormed()]),
      ).toString(),
    )
    const multipart = fc
      .tuple(
        fc.constantFrom('file', 'photo', '__proto__', ''),
        fc.oneof(
          fc.constant(PIXEL),
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        ),
        fc.boolean(),
      )
      .map(([name, bytes, ends]) =>
        Buffer.concat([
          Buffer.from(
            `--frontier\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
          ),
          bytes,
          Buffer.from(ends ? '\r\n--frontier--\r\n' : '\r\n--fron'),
        ]),
      )
    return fc.oneof(
      { weight: 24, arbitrary: jsonBody.map((bytes) => ({ type: 'application/json', bytes })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            jsonBody,
            fc.constantFrom(
              null,
              'text/plain',
              'application/json; charset=utf-16',
              'application/xml',
              'message/rfc822',
              'application/json, text/html',
              '/',
              'x'.repeat(300),
            ),
          )
          .map(([bytes, type]) => ({ type, bytes })),
      },
      {
        weight: isJson ? 1 : 10,
        arbitrary: form.map((text) => ({ type: 'application/x-www-form-urlencoded', bytes: Buffer.from(text) })),
      },
      {
        weight: isJson ? 1 : 20,
        arbitrary: multipart.map((bytes) => ({ type: 'multipart/form-data; boundary=frontier', bytes })),
      },
      {
        weight: 1,
        arbitrary: fc
          .uint8Array({ maxLength: 300 })
          .map((bytes) => ({ type: 'application/json', bytes: Buffer.from(bytes) })),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(300_000, 1_200_000)
          .map((size) => ({ type: 'application/json', bytes: Buffer.from(REPEATED_FIELDS(size)) })),
      },
    )
  }

  const framing = fc.oneof(
    { weight: 20, arbitrary: fc.constant('whole' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...FRAMINGS) },
  )
  const authorization = (who: string): [string, string][] =>
    tokens[who] === undefined ? [] : [['authorization', `Bearer ${tokens[who]}`]]

  const anyRoute = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...common) },
    { weight: 1, arbitrary: fc.constantFrom(...common, ...rare) },
  )
  return anyRoute.chain((route) => {
    const [routeMethod = 'GET', url = '/'] = route.split(' ')
    const operation = openApi.paths[url.replace(/:(\w+)/g, '{$1}')]?.[routeMethod.toLowerCase()] ?? {}
    const isAuth = url.startsWith('/auth/')
    const { 'application/json': asJson, 'application/x-www-form-urlencoded': asForm } =
      operation.requestBody?.content ?? {}
    const schema = (isAuth ? authBody : (asJson ?? asForm)?.schema) ?? { type: 'object' }
    const isJson = isAuth || asJson !== undefined
    const sendsBody = ['POST', 'PUT', 'PATCH'].includes(routeMethod)
    const parameters = operation.parameters ?? []
    const hasQuery = isAuth || !sendsBody
    return fc
      .record({
        who: fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom('user', 'owner', 'sender', 'challenger', 'admin') },
          { weight: 1, arbitrary: fc.constantFrom(...Object.keys(tokens)) },
        ),
        method: fc.oneof(
          { weight: 15, arbitrary: fc.constant(routeMethod) },
          { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
        ),
        path: path(url, parameters),
        query: hasQuery ? query(isAuth, parameters) : fc.constant(''),
        content: sendsBody
          ? content(schema, isJson)
          : fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: content(schema, isJson) }),
        extra: fc.oneof(
          { weight: 4, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(oddHeader, { maxLength: 4 }) },
        ),
        framing,
      })
      .map(
        ({ who, method, path, query, content, extra, framing }): FuzzRequest => ({
          route,
          who,
          method,
          target: path + query,
          headers: [
            ...authorization(who),
            ...(content?.type ? [['content-type', content.type] as [string, string]] : []),
            ...extra,
          ],
          body: content?.bytes ?? Buffer.alloc(0),
          framing,
        }),
      )
  })
}
