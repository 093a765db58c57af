import * as z from 'zod/mini'
import { type Audience, EmptyObject, type Endpoint, endpoint, IdParam, NoContent } from '#contract/endpoint.ts'
import * as bodies from './request-bodies.ts'

// What `/openapi.json` says of the protocol. The handlers read their input themselves, as GoTrue does; docs/auth-protocol.md
// says what a schema cannot.

const optionalTime = z.optional(z.iso.datetime())
const Metadata = z.record(z.string(), z.unknown())

const Factor = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  status: z.enum(['verified', 'unverified']),
  friendly_name: z.string(),
  factor_type: z.enum(['totp', 'webauthn']),
  last_challenged_at: optionalTime,
})

const User = z.object({
  id: z.uuid(),
  aud: z.literal('authenticated'),
  role: z.literal('authenticated'),
  email: z.string(),
  email_confirmed_at: optionalTime,
  confirmed_at: optionalTime,
  phone: z.literal(''),
  confirmation_sent_at: optionalTime,
  recovery_sent_at: optionalTime,
  last_sign_in_at: optionalTime,
  app_metadata: Metadata,
  user_metadata: Metadata,
  factors: z.optional(z.array(Factor)),
  identities: z.array(Metadata),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  is_anonymous: z.literal(false),
})

const Session = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  /** In Unix seconds. */
  expires_at: z.int(),
  refresh_token: z.string(),
  user: User,
  /** After a sign-in with a password that breaks the rules of today. */
  weak_password: z.optional(z.object({ message: z.string(), reasons: z.array(z.string()) })),
})

const Challenge = z.object({
  id: z.uuid(),
  type: z.string(),
  expires_at: z.int(),
  webauthn: z.optional(z.object({ type: z.enum(['create', 'request']), credential_options: Metadata })),
})

const Enrolment = z.object({
  id: z.uuid(),
  type: z.string(),
  friendly_name: z.string(),
  totp: z.optional(z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() })),
})

const redirect = z.object({ redirect_to: z.optional(z.string()) })

type Description = {
  summary: string
  input?: z.ZodMiniType
  output: z.ZodMiniType
  status?: Endpoint['status']
  query?: z.ZodMiniObject
}

const DESCRIPTIONS: Record<string, Description> = {
  'POST /signup': {
    summary:
      'Creates an account. Answers a user while its address is not confirmed; one without identities exists already.',
    input: bodies.SignUpBody,
    query: redirect,
    output: z.union([User, Session]),
  },
  'GET /signup/password': {
    summary:
      'In the session of a link: whether the account has a password, may keep that of its sign-up, or has to choose one.',
    output: z.object({ password: z.enum(['set', 'waiting', 'missing']) }),
  },
  'POST /signup/password': {
    summary:
      'Gives the account the password of its sign-up, by the secret of the browser that signed up or by keep: true.',
    input: bodies.SignUpPasswordBody,
    output: NoContent,
    status: 204,
  },
  'GET /verify': {
    summary: 'Opens the link of an email: leads to its page with a session, or with an error, in the fragment.',
    input: z.extend(redirect, { token: z.string(), type: z.string() }),
    output: NoContent,
    status: 303,
  },
  'POST /verify': {
    summary: 'Uses the link or the code of an email, and answers a session.',
    input: bodies.VerifyBody,
    output: Session,
  },
  'POST /token': {
    summary: 'Signs in with a password, or renews a session with its refresh token.',
    input: z.union([bodies.PasswordBody, bodies.RefreshBody]),
    query: z.object({ grant_type: z.enum(['password', 'refresh_token']) }),
    output: Session,
  },
  'POST /otp': {
    summary:
      'Mails a code and a link to sign in with; create_user makes an account. The answer is the same for every address.',
    input: bodies.OtpBody,
    query: redirect,
    output: EmptyObject,
  },
  'POST /resend': {
    summary: 'Mails the link of a sign-up again. The answer is the same where none waits.',
    input: bodies.ResendBody,
    query: redirect,
    output: EmptyObject,
  },
  'POST /recover': {
    summary: 'Mails a link to choose a new password with. The answer is the same where the address has no account.',
    input: bodies.RecoverBody,
    query: redirect,
    output: EmptyObject,
  },
  'POST /logout': {
    summary: 'Ends all sessions of the user, this one, or all others.',
    query: z.object({ scope: z._default(z.enum(['global', 'local', 'others']), 'global') }),
    output: NoContent,
    status: 204,
  },
  'GET /user': { summary: 'The user of the session.', output: User },
  'PUT /user': { summary: 'Changes the name or the password.', input: bodies.UserBody, output: User },
  'POST /factors': { summary: 'Begins to add a second factor.', input: bodies.EnrolBody, output: Enrolment },
  'DELETE /factors/:id': { summary: 'Removes a second factor.', input: IdParam, output: z.object({ id: z.uuid() }) },
  'POST /factors/:id/challenge': {
    summary: 'Asks for a challenge of a second factor.',
    input: IdParam,
    output: Challenge,
  },
  'POST /factors/:id/verify': {
    summary: 'Answers a challenge; the session is verified with the factor from then on.',
    input: z.extend(IdParam, bodies.FactorResponseBody.shape),
    output: Session,
  },
  'GET /admin/users/:id': { summary: 'An account, for other software.', input: IdParam, output: User },
  'DELETE /admin/users/:id': {
    summary: 'Deletes an account as the product does, for other software.',
    input: IdParam,
    output: EmptyObject,
  },
  'GET /settings': { summary: 'Which ways of signing up there are.', output: Metadata },
  'GET /health': { summary: 'The name of the service.', output: Metadata },
  'GET /.well-known/jwks.json': {
    summary: 'The public keys of access tokens: none, as their key is a shared secret.',
    output: z.object({ keys: z.array(Metadata) }),
  },
}

export const AUTH_PREFIX = '/auth/v1'

/** Returns what a call of the protocol is, for `/openapi.json`. */
export function authEndpoint(method: string, url: string, audience: Audience): Endpoint {
  const description = DESCRIPTIONS[`${method} ${url}`]
  if (!description) throw new Error(`${method} ${url} has no description`)
  const path = `${AUTH_PREFIX}${url}` as Endpoint['path']
  return endpoint({
    method: method as Endpoint['method'],
    path,
    audience,
    status: 200,
    input: EmptyObject,
    ...description,
  })
}
