import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { normalizeEmail } from '#contract/addresses.ts'
import { m } from '#texts/messages.js'
import { isUuid } from '../../db/ids.ts'
import { isSecret } from '../../encryption/secrets.ts'
import type { Actor } from '../../http/actor.ts'
import { requestLocale } from '../../locale.ts'
import { changeUser } from '../change-user.ts'
import type { AuthContext } from '../context.ts'
import { AuthError, fail, failValidation } from '../errors.ts'
import {
  challengeFactor,
  enrolFactor,
  FACTOR_NAME_MAX,
  type FactorResponse,
  failFactorNotFound,
  removeFactor,
  verifyFactor,
} from '../factors.ts'
import { countEmailedCode, countMail, countSignUp } from '../limits.ts'
import { getDefaultRedirect } from '../link-mail.ts'
import type { QueuedLinkRequest } from '../link-requests.ts'
import { readSignUpProof, readTermsVersion, sanitizeMetadata } from '../metadata.ts'
import { checkNewPassword, findWeaknesses } from '../password.ts'
import { deleteSessions, readClientInfo, type SignOutScope } from '../session-queries.ts'
import { refreshSession } from '../sessions.ts'
import { completeLinkType, isLinkType, signIn, verifyCode, verifyLink } from '../sign-in.ts'
import { findSignUpPasswordState, keepSignUpPassword, type PasswordClaim, signUp } from '../sign-up.ts'
import { findUser, isEmailConfirmed } from '../user-queries.ts'
import { toAuthError } from './errors.ts'
import {
  EnrolBody,
  FactorResponseBody,
  getRequestedRedirect,
  OtpBody,
  PasswordBody,
  parseBody,
  parseEmail,
  RecoverBody,
  RefreshBody,
  ResendBody,
  readQueryParam,
  SignUpBody,
  SignUpPasswordBody,
  UserBody,
  VerifyBody,
} from './request-input.ts'
import type { Challenge, Enrolment } from './shapes.ts'
import { loadUserJson, toSessionJson, toUserJson } from './user-json.ts'

/** Handles a call of the protocol. */
export type PublicHandler = (auth: AuthContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
/** Handles a call by somebody signed in. */
export type UserHandler = (
  auth: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Actor,
) => Promise<unknown>

/** Handles `POST /signup`. */
export const postSignUp: PublicHandler = async (auth, request) => {
  const { email: typedEmail, password, data } = parseBody(SignUpBody, request)
  if (!typedEmail) fail('anonymous_provider_disabled')
  if (!password) failValidation('Signup requires a valid password')
  const email = parseEmail(typedEmail)
  const [metadata, proofHash] = [sanitizeMetadata(data), readSignUpProof(data)]
  checkNewPassword(password)
  await countSignUp(auth, request.ip)
  // an address with an account gets no email, and the answer says that it has one
  const getsMail = !auth.config.AUTH_AUTOCONFIRM && !(await isEmailConfirmed(auth.db, email))
  if (getsMail) await countMail(auth, 'confirm', request.ip, email)
  const locale = requestLocale(request)
  const redirectTo = getRequestedRedirect(auth, request) ?? getDefaultRedirect('signup', locale, auth.config)
  const clientInfo = readClientInfo(request)
  const termsVersion = readTermsVersion(data)
  const outcome = await signUp(auth, {
    ...{ email, password, metadata, proofHash, termsVersion },
    ...{ locale, redirectTo, clientInfo },
  })
  switch (outcome.state) {
    case 'signed_in':
      return toSessionJson(auth, outcome.session)
    case 'to_confirm':
      return toUserJson(outcome.user)
    case 'exists':
      // no identities: the page recognizes the case by that (decision mailed-links)
      return { ...toUserJson(outcome.user), identities: [] }
  }
}

/** Handles `POST /token`. */
export const postToken: PublicHandler = async (auth, request) => {
  switch (readQueryParam(request, 'grant_type')) {
    case 'password': {
      const { email: typedEmail, password } = parseBody(PasswordBody, request)
      if (!typedEmail) failValidation('missing email or phone')
      const email = normalizeEmail(typedEmail) // not validated: a malformed address fails as any unknown one does
      const clientInfo = readClientInfo(request)
      const session = await signIn(auth, request.ip, email, password ?? '', clientInfo).catch((error: unknown) => {
        if (error instanceof AuthError) auth.failures.record(email, error, clientInfo)
        throw error
      })
      const reasons = findWeaknesses(password ?? '')
      const weak = reasons.length > 0 && {
        weak_password: { message: m.auth_password_rule({}, { locale: 'en' }), reasons },
      }
      return { ...(await toSessionJson(auth, session)), ...weak }
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
  createUser = false,
) {
  const email = parseEmail(typedEmail)
  await countMail(auth, call === 'recover' ? 'recover' : 'confirm', request.ip, email)
  await auth.linkRequestQueue.enqueue({
    email,
    call,
    create_user: createUser,
    redirect_to: getRequestedRedirect(auth, request),
    locale: requestLocale(request),
  })
  return {}
}

/** Handles `POST /otp`. `create_user`, which clients send by default, makes an account without a password. */
export const postOtp: PublicHandler = async (auth, request) => {
  const { email, create_user: createUser = true } = parseBody(OtpBody, request)
  if (!email) failValidation('One of email or phone must be set')
  return requestLink(auth, request, email, 'otp', createUser)
}

/** Handles `POST /resend`, of sign-ups: there are no emails of any other type. */
export const postResend: PublicHandler = async (auth, request) => {
  const { type, email } = parseBody(ResendBody, request)
  if (type !== 'signup') failValidation('Missing one of these types: signup')
  if (!email) failValidation('Type provided requires an email address')
  return requestLink(auth, request, email, 'resend')
}

/** Handles `POST /recover`. */
export const postRecover: PublicHandler = async (auth, request) => {
  const { email } = parseBody(RecoverBody, request)
  if (!email) failValidation('Password recovery requires an email')
  return requestLink(auth, request, email, 'recover')
}

/** The `error` of a fragment (RFC 6749 §4.2.2.1), by status. */
const FRAGMENT_ERRORS: Record<number, string> = {
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'server_error',
  504: 'server_error',
}

const toErrorFragment = ({ status, code, message }: AuthError) =>
  new URLSearchParams({
    error: FRAGMENT_ERRORS[status] ?? 'invalid_request',
    error_code: code,
    error_description: message,
    sb: '',
  })

/**
 * Opens the link of an email, which does not consume it: see `verifyLink`. Mail programs cut links where they break a line, and
 * write &amp; for &: what is left of one is enough with its token. Without it a person in a browser still gets a page of ours.
 */
export const getVerify: PublicHandler = async (auth, request, reply) => {
  const token = readQueryParam(request, 'token')
  const type = readQueryParam(request, 'type')
  const requestedRedirect = getRequestedRedirect(auth, request)
  try {
    const types = completeLinkType(type)
    if (types.length === 0) failValidation('Verify requires a verification type')
    const { session, link } = await verifyLink(auth, token, types, readClientInfo(request), false)
    const { access_token, expires_at, expires_in, refresh_token, token_type } = await toSessionJson(auth, session)
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

/** Handles `POST /verify`. */
export const postVerify: PublicHandler = async (auth, request) => {
  const { type, token, token_hash, email } = parseBody(VerifyBody, request)
  if (!type || !isLinkType(type)) failValidation('Verify requires a verification type')
  if (!token === !token_hash) failValidation('Verify requires either a token or a token hash')
  if (token_hash && email) failValidation('Only the token_hash and type should be provided')
  if (!token_hash) {
    if (!email) failValidation('Only an email address or phone number should be provided on verify')
    return signInWithCode(auth, request, type, token ?? '', email)
  }
  const { session } = await verifyLink(auth, token_hash, [type], readClientInfo(request), true)
  return toSessionJson(auth, session)
}

/** The types of the protocol whose emails have a code. */
const CODE_TYPES = ['email', 'signup', 'magiclink']

/** Signs in with the code of an email. A code of another type, and a malformed address, fail as a wrong code does. */
async function signInWithCode(auth: AuthContext, request: FastifyRequest, type: string, token: string, typed: string) {
  const email = normalizeEmail(typed)
  const clientInfo = readClientInfo(request)
  const succeeded = await countEmailedCode(auth, request.ip, email)
  const session = await verifyCode(auth, email, CODE_TYPES.includes(type) ? token : '', clientInfo)
  await succeeded()
  return toSessionJson(auth, session)
}

/** Says what the page of a link has to ask about the password; spends nothing. */
export const getSignUpPassword: UserHandler = async (auth, _, __, actor) => ({
  password: await findSignUpPasswordState(auth, actor),
})

/** Gives the account the password of a sign-up; the link of the session is spent by now. */
export const postSignUpPassword: UserHandler = async (auth, request, reply, actor) => {
  const { secret, keep } = parseBody(SignUpPasswordBody, request)
  if ((secret === undefined) === (keep !== true)) failValidation('Either a secret or keep is required')
  const claim: PasswordClaim = secret === undefined ? { keep: true } : { secret }
  await keepSignUpPassword(auth, actor, claim)
  return reply.code(204).send()
}

const SIGN_OUT_SCOPES: SignOutScope[] = ['global', 'local', 'others']

/** Handles `POST /logout`. */
export const postLogout: UserHandler = async ({ db }, request, reply, { id, sessionId }) => {
  const requestedScope = readQueryParam(request, 'scope') || 'global'
  const scope =
    SIGN_OUT_SCOPES.find((known) => known === requestedScope) ??
    failValidation(`Unsupported logout scope "${requestedScope}"`)
  await deleteSessions(db, id, sessionId, scope)
  return reply.code(204).send()
}

/** Handles `GET /user`. */
export const getUser: UserHandler = async (auth, _, __, { id }) =>
  loadUserJson(auth, (await findUser(auth.db, id)) ?? fail('user_not_found'))

/** Handles `PUT /user`. */
export const putUser: UserHandler = async (auth, request, _, actor) => {
  const { email, password, current_password, data, app_metadata } = parseBody(UserBody, request)
  if (app_metadata) fail('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  // the address is changed by POST /api/email-change, which both mailboxes confirm (decision email-change)
  if (email !== undefined) failValidation('Email cannot be changed')
  if (actor.hasFactor && actor.factorAgeS === null) {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.'
    fail('insufficient_aal', { status: 401, message })
  }
  const change = { password, currentPassword: current_password, metadata: sanitizeMetadata(data) }
  return loadUserJson(auth, await changeUser(auth, actor, change))
}

// Second factors (auth-protocol §1.15). They work in a session of level aal1 too: that is what they are for.

function readFactorId(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  return isUuid(id) ? id.toLowerCase() : failFactorNotFound()
}

/** Handles `POST /factors`. */
export const postFactor: UserHandler = async (auth, request, _, actor) => {
  const { factor_type, friendly_name = '', issuer } = parseBody(EnrolBody, request)
  if (factor_type === 'phone') fail('mfa_phone_enroll_not_enabled')
  if (factor_type !== 'totp' && factor_type !== 'webauthn') {
    failValidation('factor_type needs to be totp, phone, or webauthn')
  }
  const name = friendly_name.trim()
  if (name.length > FACTOR_NAME_MAX) failValidation(`friendly_name has at most ${FACTOR_NAME_MAX} characters`)
  if (issuer !== undefined && issuer.length > FACTOR_NAME_MAX) {
    failValidation(`issuer has at most ${FACTOR_NAME_MAX} characters`)
  }
  return (await enrolFactor(auth, actor, { type: factor_type, name, issuer })) satisfies z.infer<typeof Enrolment>
}

/** Handles a request for a challenge; the body names a relying party, which here is always this site. */
export const postFactorChallenge: UserHandler = async (auth, request, _, actor) =>
  (await challengeFactor(auth, actor, readFactorId(request))) satisfies z.infer<typeof Challenge>

/** Handles `POST /factors/:id/verify`. */
export const postFactorVerify: UserHandler = async (auth, request, _, actor) => {
  const factorId = readFactorId(request)
  const { challenge_id, code, webauthn } = parseBody(FactorResponseBody, request)
  if (challenge_id === undefined || !isUuid(challenge_id)) failValidation('challenge_id must be an UUID')
  if (!code && !webauthn?.credential_response) failValidation('Code needs to be non-empty')
  const credential = webauthn?.credential_response as FactorResponse['credential']
  const response = { challengeId: challenge_id, code, credential }
  return toSessionJson(auth, await verifyFactor(auth, actor, factorId, response, readClientInfo(request)))
}

/** Handles `DELETE /factors/:id`. */
export const deleteFactor: UserHandler = async (auth, request, _, actor) => {
  const id = readFactorId(request)
  await removeFactor(auth, actor, id, readClientInfo(request))
  return { id }
}
