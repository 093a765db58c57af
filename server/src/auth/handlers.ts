import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeEmail, PASSWORD_TEXT } from '#contract/auth.ts'
import type { Actor } from '../http/actor.ts'
import { requestLocale } from '../http/errors.ts'
import {
  OtpBody,
  PasswordBody,
  RecoverBody,
  RefreshBody,
  ResendBody,
  readBody,
  SignUpBody,
  UserBody,
  VerifyBody,
} from './body.ts'
import { changeUser } from './change-user.ts'
import { type Auth, checkPkce, deviceOf, readEmail } from './context.ts'
import { type AuthError, fail, invalid, toAuthError } from './errors.ts'
import type { LinkWish } from './link-queries.ts'
import { cleanMetadata } from './metadata.ts'
import { checkNewPassword, weaknessesOf } from './password.ts'
import { deleteSessions, findUser, type SignOutScope } from './queries.ts'
import { allowedRedirect, homeOf } from './redirects.ts'
import { refreshSession } from './refresh-session.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { isSecret } from './tokens.ts'
import { userJson } from './user-json.ts'
import { isLinkType, verifyLink } from './verify-link.ts'

/** Answers one call of the protocol. */
export type Handler = (auth: Auth, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
/** The same for somebody signed in. */
export type GuardedHandler = (
  auth: Auth,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
) => Promise<unknown>

/** The first value of a query parameter; '' when there is none. */
export function queryOf(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/**
 * Where a request wants its link to lead; null when it says nothing, or what we do not allow. The first of header, query
 * and Referer that says something counts.
 */
const wishedRedirect = ({ config }: Auth, request: FastifyRequest): string | null =>
  allowedRedirect(request.headers['redirect_to'] || queryOf(request, 'redirect_to') || request.headers.referer, config)

export const postSignUp: Handler = async (auth, request) => {
  const { email: typed, phone, password, data, ...pkce } = readBody(SignUpBody, request)
  checkPkce(pkce)
  if (!typed && !phone) fail('anonymous_provider_disabled')
  if (!typed || phone) invalid('Only an email address or phone number should be provided on signup.')
  if (!password) invalid('Signup requires a valid password')
  const email = readEmail(typed)
  const metadata = cleanMetadata(data)
  checkNewPassword(password, auth.config.production)
  await auth.limits.signUp(request)
  if (!auth.config.AUTH_AUTOCONFIRM) await auth.limits.mail('confirm', email)
  const locale = requestLocale(request)
  const redirectTo = wishedRedirect(auth, request) ?? homeOf('signup', locale, auth.config)
  const device = deviceOf(request)
  const outcome = await signUp(auth, { email, password, metadata, locale, redirectTo, device })
  switch (outcome.state) {
    case 'signed_in':
      return auth.answer(outcome.session)
    case 'to_confirm':
      return userJson(outcome.user)
    case 'exists':
      // without identities the page can say so (design decision 17)
      return { ...userJson(outcome.user), identities: [] }
  }
}

export const postToken: Handler = async (auth, request) => {
  switch (queryOf(request, 'grant_type')) {
    case 'password': {
      const { email: typed, phone, password } = readBody(PasswordBody, request)
      if (!typed && !phone) invalid('missing email or phone')
      if (!typed || phone) invalid('Only an email address or phone number should be provided on login.')
      const email = normalizeEmail(typed) // what is no address is nobody's: the same answer as any unknown one
      const forgetFailures = await auth.limits.signIn(request, email)
      const session = await signIn(auth, email, password ?? '', deviceOf(request))
      await forgetFailures()
      const reasons = weaknessesOf(password ?? '', auth.config.production)
      const weak = reasons.length > 0 && { weak_password: { message: PASSWORD_TEXT, reasons } }
      return { ...auth.answer(session), ...weak }
    }
    case 'refresh_token': {
      const { refresh_token } = readBody(RefreshBody, request)
      if (!refresh_token || !isSecret(refresh_token)) return invalid('Refresh token is not valid')
      return auth.answer(await refreshSession(auth, refresh_token))
    }
    default:
      return fail('invalid_credentials', { message: 'unsupported_grant_type' })
  }
}

/** Asks for a mail with a link: nothing about the answer depends on whether there is an account. */
async function sendLink(auth: Auth, request: FastifyRequest, typed: string, call: LinkWish['call']) {
  const email = readEmail(typed)
  await auth.limits.mail(call === 'recover' ? 'recover' : 'confirm', email)
  await auth.wishes.ask({
    email,
    call,
    redirect_to: wishedRedirect(auth, request),
    locale: requestLocale(request),
  })
  return {}
}

export const postOtp: Handler = async (auth, request) => {
  const { email, phone, channel, create_user, ...pkce } = readBody(OtpBody, request)
  checkPkce(pkce)
  if (!email && !phone) invalid('One of email or phone must be set')
  if (!email || phone) invalid('Only an email address or phone number should be provided')
  if (channel) invalid('Channel should only be specified with Phone OTP')
  // an account has a name, a password and agreed terms: it is made by signing up
  if (create_user !== false) fail('otp_disabled')
  return sendLink(auth, request, email, 'otp')
}

const RESENDABLE = ['signup', 'email_change', 'sms', 'phone_change']

export const postResend: Handler = async (auth, request) => {
  const { type, email, phone, ...pkce } = readBody(ResendBody, request)
  checkPkce(pkce)
  if (!type || !RESENDABLE.includes(type)) invalid(`Missing one of these types: ${RESENDABLE.join(', ')}`)
  if (email && phone) invalid('Only an email address or phone number should be provided.')
  if (!email) invalid('Type provided requires an email address')
  if (type === 'signup') return sendLink(auth, request, email, 'resend')
  await auth.limits.mail('confirm', readEmail(email)) // of no other type there are mails
  return {}
}

export const postRecover: Handler = async (auth, request) => {
  const { email, ...pkce } = readBody(RecoverBody, request)
  checkPkce(pkce)
  if (!email) invalid('Password recovery requires an email')
  return sendLink(auth, request, email, 'recover')
}

/** The `error` of a fragment (RFC 6749 §4.2.2.1) for a status. */
const FRAGMENT_ERRORS: Record<number, string> = {
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  504: 'server_error',
}

const errorFragment = ({ status, code, message }: AuthError) =>
  new URLSearchParams({
    error: FRAGMENT_ERRORS[status] ?? 'invalid_request',
    error_code: code,
    error_description: message,
    sb: '',
  })

/** The link in a mail. It does not use itself up: see verify-link.ts. */
export const getVerify: Handler = async (auth, request, reply) => {
  const token = queryOf(request, 'token')
  const type = queryOf(request, 'type')
  if (!token) invalid('Verify requires a token or a token hash')
  if (!type) invalid('Verify requires a verification type')
  const wish = wishedRedirect(auth, request)
  try {
    if (!isLinkType(type)) invalid('Verify requires a verification type')
    const { session, link } = await verifyLink(auth, token, type, deviceOf(request), false)
    const { access_token, expires_at, expires_in, refresh_token, token_type } = auth.answer(session)
    const fragment = new URLSearchParams({
      access_token,
      expires_at: String(expires_at),
      expires_in: String(expires_in),
      refresh_token,
      sb: '',
      token_type,
      type: link.purpose,
    })
    return reply.redirect(`${wish ?? link.redirect_to}#${fragment.toString()}`, 303)
  } catch (error) {
    const home = homeOf(type === 'recovery' ? 'recovery' : 'signup', requestLocale(request), auth.config)
    return reply.redirect(`${wish ?? home}#${errorFragment(toAuthError(error, request)).toString()}`, 303)
  }
}

export const postVerify: Handler = async (auth, request) => {
  const { type, token, token_hash, email, phone } = readBody(VerifyBody, request)
  if (!type || !isLinkType(type)) invalid('Verify requires a verification type')
  if (!token === !token_hash) invalid('Verify requires either a token or a token hash')
  if (token_hash && (email || phone)) invalid('Only the token_hash and type should be provided')
  if (!token_hash && !email === !phone) {
    invalid('Only an email address or phone number should be provided on verify')
  }
  // our mails hold links, no codes to type: no code of anybody is right
  if (!token_hash) fail('otp_expired', { message: 'Token has expired or is invalid' })
  const { session } = await verifyLink(auth, token_hash, type, deviceOf(request), true)
  return auth.answer(session)
}

const SCOPES: SignOutScope[] = ['global', 'local', 'others']

export const postLogout: GuardedHandler = async ({ db }, request, reply, { id, sessionId }) => {
  const wish = queryOf(request, 'scope') || 'global'
  const scope = SCOPES.find((known) => known === wish) ?? invalid(`Unsupported logout scope "${wish}"`)
  await deleteSessions(db, id, sessionId, scope)
  return reply.code(204).send()
}

export const getUser: GuardedHandler = async ({ db }, _, __, { id }) =>
  userJson((await findUser(db, id)) ?? fail('user_not_found'))

export const putUser: GuardedHandler = async (auth, request, _, actor) => {
  const { email, phone, password, current_password, data, app_metadata } = readBody(UserBody, request)
  if (app_metadata) fail('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  if (email !== undefined) invalid('Email cannot be changed')
  if (phone) invalid('Phone numbers are not supported')
  const change = { password, currentPassword: current_password, metadata: cleanMetadata(data) }
  return userJson(await changeUser(auth, actor, change))
}
