import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { isEmail, isUnwritable, normalizeEmail } from '#contract/addresses.ts'
import { LOCALES } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import type { Config } from '../../config.ts'
import { fieldTexts } from '../../http/field-texts.ts'
import { parseFields } from '../../http/parse-fields.ts'
import { AuthError, fail, failValidation } from '../errors.ts'
import { getDefaultRedirect } from '../link-mail.ts'

// The bodies of the protocol: fields are typed, unknown ones are ignored, null means absent (auth-protocol §1.0).
// Fields that GoTrue knows and this server ignores are not named: phone numbers and PKCE are not offered.

const optionalText = z.optional(z.string())
const optionalData = z.optional(z.record(z.string(), z.unknown()))

/** What a browser's authenticator returned (WebAuthn §5.1), new or not; what it says is checked where it is verified. */
const CredentialResponse = z.object({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.record(z.string(), z.unknown()), {}),
  response: z.union([
    z.object({
      attestationObject: z.string(),
      clientDataJSON: z.string(),
      transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
    }),
    z.object({ authenticatorData: z.string(), clientDataJSON: z.string(), signature: z.string() }),
  ]),
})

export const SignUpBody = z.object({ email: optionalText, password: optionalText, data: optionalData })
export const SignUpPasswordBody = z.object({ secret: optionalText, keep: z.optional(z.boolean()) })
export const PasswordBody = z.object({ email: optionalText, password: optionalText })
export const RefreshBody = z.object({ refresh_token: optionalText })
/** `first`: addresses of calls without parameters, which are answered too. */
export const SessionBody = z.object({
  refresh_token: optionalText,
  first: z.optional(z.array(z.string()).check(z.maxLength(8))),
})
export const OtpBody = z.object({ email: optionalText, create_user: z.optional(z.boolean()) })
export const ResendBody = z.object({ type: optionalText, email: optionalText })
export const RecoverBody = z.object({ email: optionalText })
export const VerifyBody = z.object({
  type: optionalText,
  token: optionalText,
  token_hash: optionalText,
  email: optionalText,
})
export const UserBody = z.object({
  email: optionalText,
  password: optionalText,
  current_password: optionalText,
  data: optionalData,
  app_metadata: z.optional(z.record(z.string(), z.unknown())),
})
export const EnrolBody = z.object({
  factor_type: optionalText,
  friendly_name: optionalText,
  issuer: optionalText,
})
export const FactorResponseBody = z.object({
  challenge_id: optionalText,
  code: optionalText,
  webauthn: z.optional(z.object({ type: optionalText, credential_response: z.optional(CredentialResponse) })),
})

const utf8 = new TextDecoder('utf-8', { fatal: true })

// far beyond any client; deeper nesting would overflow the stack when the value is serialized again
const MAX_DEPTH = 64

/**
 * Returns whether PostgreSQL can store a JSON value: no NUL, no half of a surrogate pair, not nested too deeply. Works
 * without recursion.
 */
function isStorable(value: unknown): boolean {
  const pending = [{ next: value, depth: 0 }]
  for (let item = pending.pop(); item; item = pending.pop()) {
    const { next, depth } = item
    if (depth > MAX_DEPTH) return false
    if (typeof next === 'string') {
      if (next.includes('\0') || !next.isWellFormed()) return false
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        if (key === '__proto__') return false
        pending.push({ next: inner, depth: depth + 1 })
        if (!Array.isArray(next)) pending.push({ next: key, depth })
      }
    }
  }
  return true
}

function parseJson(bytes: Buffer): unknown {
  const value: unknown = JSON.parse(utf8.decode(bytes))
  if (!isStorable(value)) throw new AuthError('bad_json')
  return value
}

/** Parses bodies as JSON whatever content type they claim, as GoTrue does. An empty one is no body, also as JSON. */
export function registerBodyParser(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    try {
      return parseJson(body)
    } catch {
      throw new AuthError('bad_json')
    }
  })
}

/** Returns the body as one of the types above, or fails with `bad_json`, which names the first field of another type. */
export function parseBody<T extends z.ZodMiniType>(schema: T, request: FastifyRequest): z.output<T> {
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) fail('bad_json')
  const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const parsed = parseFields(schema, fields)
  if ('data' in parsed) return parsed.data
  const [[name, text] = []] = Object.entries(fieldTexts(parsed.fields, 'en'))
  return fail('bad_json', { message: `Could not read the request body as JSON: ${name}: ${text}` })
}

// --- what is read beside them

/** Returns the first value of a query parameter; '' when there is none. */
export function readQueryParam(request: FastifyRequest, name: string): string {
  const query = request.query as Record<string, string | string[] | undefined>
  const value = query[name] ?? query[`amp;${name}`]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/**
 * Returns the page a request wants its link to lead to (decision mailed-links): exactly one of ours, compared after parsing as
 * browsers parse; null when it names none, or any other. The first of header, query and Referer that names one counts. The result is
 * our own text, never what was sent.
 */
export function getRequestedRedirect({ config }: { config: Config }, request: FastifyRequest): string | null {
  const requested = request.headers['redirect_to'] || readQueryParam(request, 'redirect_to') || request.headers.referer
  if (typeof requested !== 'string' || !URL.canParse(requested)) return null
  const requestedUrl = new URL(requested)
  if (requestedUrl.username || requestedUrl.password) return null
  const ownPages = LOCALES.flatMap((locale) => [
    getDefaultRedirect('signup', locale, config),
    getDefaultRedirect('recovery', locale, config),
  ])
  return ownPages.find((url) => new URL(url).href === requestedUrl.href) ?? null
}

/** Validates an address and returns its stored form. @throws AuthError `validation_failed` */
export function parseEmail(input: string): string {
  const email = normalizeEmail(input)
  if (Buffer.byteLength(email) > 255) failValidation('An email address is too long')
  if (isUnwritable(email)) failValidation(m.field_email_unwritable({}, { locale: 'en' }))
  return isEmail(email) ? email : failValidation('Unable to validate email address: invalid format')
}
