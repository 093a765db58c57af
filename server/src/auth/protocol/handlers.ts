import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeEmail, PASSWORD_RULE_TEXT } from '#contract/auth.ts'
import type { Actor } from '../../http/actor.ts'
import { requestLocale } from '../../locale.ts'
import { changeUser } from '../change-user.ts'
import type { AuthContext } from '../context.ts'
import { type AuthError, fail, failValidation } from '../errors.ts'
import type { QueuedLinkRequest } from '../link-queries.ts'
import { sanitizeMetadata } from '../metadata.ts'
import { checkNewPassword, findWeaknesses } from '../password.ts'
import { getDefaultRedirect } from '../redirects.ts'
import { refreshSession } from '../refresh-session.ts'
import { deleteSessions, type SignOutScope } from '../session-queries.ts'
import { signIn } from '../sign-in.ts'
import { signUp } from '../sign-up.ts'
import { isSecret } from '../tokens.ts'
import { findUser } from '../user-queries.ts'
import { isLinkType, verifyLink } from '../verify-link.ts'
import { toAuthError } from './errors.ts'
import {
  OtpBody,
  PasswordBody,
  parseBody,
  RecoverBody,
  RefreshBody,
  ResendBody,
  SignUpBody,
  UserBody,
  VerifyBody,
} from './request-bodies.ts'
import { checkPkce, getRequestedRedirect, parseEmail, readClientInfo, readQueryParam } from './request-input.ts'
import { toSessionJson, toUserJson } from './user-json.ts'

/** Handles a call of the protocol. */
export type PublicHandler = (auth: AuthContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
/** Handles a call by somebody signed in. */
export type UserHandler = (
  auth: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
) => Promise<unknown>

export const postSignUp: PublicHandler = async (auth, request) => {
  const { email: typedEmail, phone, password, data, ...pkce } = parseBody(SignUpBody, request)
  checkPkce(pkce)
  if (!typedEmail && !phone) fail('anonymous_provider_disabled')
  if (!typedEmail || phone) failValidation('Only an email address or phone number should be provided on signup.')
  if (!password) failValidation('Signup requires a valid password')
  const email = parseEmail(typedEmail)
  const metadata = sanitizeMetadata(data)
  checkNewPassword(password, auth.config.production)
  await auth.limits.signUp(request)
  if (!auth.config.AUTH_AUTOCONFIRM) await auth.limits.mail('confirm', email)
  const locale = requestLocale(request)
  const redirectTo = getRequestedRedirect(auth, request) ?? getDefaultRedirect('signup', locale, auth.config)
  const clientInfo = readClientInfo(request)
  const outcome = await signUp(auth, { email, password, metadata, locale, redirectTo, clientInfo })
  switch (outcome.state) {
    case 'signed_in':
      return toSessionJson(auth, outcome.session)
    case 'to_confirm':
      return toUserJson(outcome.user)
    case 'exists':
      // no identities: the page can tell by that (decision 0062)
      return { ...toUserJson(outcome.user), identities: [] }
  }
}

export const postToken: PublicHandler = async (auth, request) => {
  switch (readQueryParam(request, 'grant_type')) {
    case 'password': {
      const { email: typedEmail, phone, password } = parseBody(PasswordBody, request)
      if (!typedEmail && !phone) failValidation('missing email or phone')
      if (!typedEmail || phone) failValidation('Only an email address or phone number should be provided on login.')
      const email = normalizeEmail(typedEmail) // not validated: a malformed address fails as any unknown one does
      const resetFailures = await auth.limits.signIn(request, email)
      const session = await signIn(auth, email, password ?? '', readClientInfo(request))
      await resetFailures()
      const reasons = findWeaknesses(password ?? '', auth.config.production)
      const weak = reasons.length > 0 && { weak_password: { message: PASSWORD_RULE_TEXT, reasons } }
      return { ...toSessionJson(auth, session), ...weak }
    }
    case 'refresh_token': {
      const { refresh_token } = parseBody(RefreshBody, request)
      if (!refresh_token || !isSecret(refresh_token)) return failValidation('Refresh token is not valid')
      return toSessionJson(auth, await refreshSession(auth, refresh_token))
    }
    default:
      return fail('invalid_credentials', { message: 'unsupported_grant_type' })
  }
}

/** Queues a request for an email with a link. Nothing in the response depends on whether there is an account. */
async function requestLink(
  auth: AuthContext,
  request: FastifyRequest,
  typedEmail: string,
  call: QueuedLinkRequest['call'],
) {
  const email = parseEmail(typedEmail)
  await auth.limits.mail(call === 'recover' ? 'recover' : 'confirm', email)
  await auth.linkRequestQueue.enqueue({
    email,
    call,
    redirect_to: getRequestedRedirect(auth, request),
    locale: requestLocale(request),
  })
  return {}
}

export const postOtp: PublicHandler = async (auth, request) => {
  const { email, phone, channel, create_user, ...pkce } = parseBody(OtpBody, request)
  checkPkce(pkce)
  if (!email && !phone) failValidation('One of email or phone must be set')
  if (!email || phone) failValidation('Only an email address or phone number should be provided')
  if (channel) failValidation('Channel should only be specified with Phone OTP')
  // an account has a name, a password and accepted terms: only a sign-up creates one
  if (create_user !== false) fail('otp_disabled')
  return requestLink(auth, request, email, 'otp')
}

const RESEND_TYPES = ['signup', 'email_change', 'sms', 'phone_change']

export const postResend: PublicHandler = async (auth, request) => {
  const { type, email, phone, ...pkce } = parseBody(ResendBody, request)
  checkPkce(pkce)
  if (!type || !RESEND_TYPES.includes(type)) failValidation(`Missing one of these types: ${RESEND_TYPES.join(', ')}`)
  if (email && phone) failValidation('Only an email address or phone number should be provided.')
  if (!email) failValidation('Type provided requires an email address')
  if (type === 'signup') return requestLink(auth, request, email, 'resend')
  await auth.limits.mail('confirm', parseEmail(email)) // there are no emails of any other type
  return {}
}

export const postRecover: PublicHandler = async (auth, request) => {
  const { email, ...pkce } = parseBody(RecoverBody, request)
  checkPkce(pkce)
  if (!email) failValidation('Password recovery requires an email')
  return requestLink(auth, request, email, 'recover')
}

/** The `error` of a fragment (RFC 6749 §4.2.2.1), by status. */
const FRAGMENT_ERRORS: Record<number, string> = {
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  504: 'server_error',
}

const toErrorFragment = ({ status, code, message }: AuthError) =>
  new URLSearchParams({
    error: FRAGMENT_ERRORS[status] ?? 'invalid_request',
    error_code: code,
    error_description: message,
    sb: '',
  })

/** Opens the link of an email, which does not consume it: see verify-link.ts. */
export const getVerify: PublicHandler = async (auth, request, reply) => {
  const token = readQueryParam(request, 'token')
  const type = readQueryParam(request, 'type')
  if (!token) failValidation('Verify requires a token or a token hash')
  if (!type) failValidation('Verify requires a verification type')
  const requestedRedirect = getRequestedRedirect(auth, request)
  try {
    if (!isLinkType(type)) failValidation('Verify requires a verification type')
    const { session, link } = await verifyLink(auth, token, type, readClientInfo(request), false)
    const { access_token, expires_at, expires_in, refresh_token, token_type } = toSessionJson(auth, session)
    const fragment = new URLSearchParams({
      access_token,
      expires_at: String(expires_at),
      expires_in: String(expires_in),
      refresh_token,
      sb: '',
      token_type,
      type: link.purpose,
    })
    return reply.redirect(`${requestedRedirect ?? link.redirect_to}#${fragment.toString()}`, 303)
  } catch (error) {
    const defaultRedirect = getDefaultRedirect(
      type === 'recovery' ? 'recovery' : 'signup',
      requestLocale(request),
      auth.config,
    )
    return reply.redirect(
      `${requestedRedirect ?? defaultRedirect}#${toErrorFragment(toAuthError(error, request)).toString()}`,
      303,
    )
  }
}

export const postVerify: PublicHandler = async (auth, request) => {
  const { type, token, token_hash, email, phone } = parseBody(VerifyBody, request)
  if (!type || !isLinkType(type)) failValidation('Verify requires a verification type')
  if (!token === !token_hash) failValidation('Verify requires either a token or a token hash')
  if (token_hash && (email || phone)) failValidation('Only the token_hash and type should be provided')
  if (!token_hash && !email === !phone) {
    failValidation('Only an email address or phone number should be provided on verify')
  }
  // our emails contain links, never codes to type: no code is valid
  if (!token_hash) fail('otp_expired', { message: 'Token has expired or is invalid' })
  const { session } = await verifyLink(auth, token_hash, type, readClientInfo(request), true)
  return toSessionJson(auth, session)
}

const SIGN_OUT_SCOPES: SignOutScope[] = ['global', 'local', 'others']

export const postLogout: UserHandler = async ({ db }, request, reply, { id, sessionId }) => {
  const requestedScope = readQueryParam(request, 'scope') || 'global'
  const scope =
    SIGN_OUT_SCOPES.find((known) => known === requestedScope) ??
    failValidation(`Unsupported logout scope "${requestedScope}"`)
  await deleteSessions(db, id, sessionId, scope)
  return reply.code(204).send()
}

export const getUser: UserHandler = async ({ db }, _, __, { id }) =>
  toUserJson((await findUser(db, id)) ?? fail('user_not_found'))

export const putUser: UserHandler = async (auth, request, _, actor) => {
  const { email, phone, password, current_password, data, app_metadata } = parseBody(UserBody, request)
  if (app_metadata) fail('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  if (email !== undefined) failValidation('Email cannot be changed')
  if (phone) failValidation('Phone numbers are not supported')
  const change = { password, currentPassword: current_password, metadata: sanitizeMetadata(data) }
  return toUserJson(await changeUser(auth, actor, change))
}
