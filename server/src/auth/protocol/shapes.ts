import * as z from 'zod/mini'

// What the calls of the protocol answer: `/openapi.json` describes it, and what makes it is typed by it.

const optionalTime = z.optional(z.iso.datetime())
export const Metadata = z.record(z.string(), z.unknown())

const Factor = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  status: z.enum(['verified', 'unverified']),
  friendly_name: z.string(),
  factor_type: z.enum(['totp', 'webauthn']),
  last_challenged_at: optionalTime,
})

export const User = z.object({
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

export const Session = z.object({
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

/** A session whose refresh token is in the cookie, and what was asked for with it. */
export const OpenedSession = z.extend(z.omit(Session, { refresh_token: true }), {
  first: z.record(z.string(), z.object({ status: z.int(), body: z.string() })),
})

export const Challenge = z.object({
  id: z.uuid(),
  type: z.string(),
  expires_at: z.int(),
  webauthn: z.optional(z.object({ type: z.enum(['create', 'request']), credential_options: Metadata })),
})

export const Enrolment = z.object({
  id: z.uuid(),
  type: z.string(),
  friendly_name: z.string(),
  totp: z.optional(z.object({ qr_code: z.string(), secret: z.string(), uri: z.string() })),
})
