import * as z from 'zod/mini'
import { EmptyObject, type EndpointDefinition, IdParam, NoContent } from '#contract/endpoint.ts'
import * as handlers from './handlers.ts'
import * as bodies from './request-input.ts'
import { postSession, postSessionEnd } from './session-cookie.ts'
import { Challenge, Enrolment, OpenedSession, Session, User } from './shapes.ts'

// The calls of the protocol: who handles each, what limits it (auth-protocol §1.14), and what `/openapi.json` says of it. The handlers
// read their input themselves, as GoTrue does; docs/auth-protocol.md says what a schema cannot.

const redirect = z.object({ redirect_to: z.optional(z.string()) })

type Description = {
  summary: string
  /**
   * The limit on requests of one network that it counts against. `none`, because a client that is refused here would keep a session
   * somebody wanted to end. Left out: that of any API, and reading one's own account counts
   * against the limit of the person.
   */
  limit?: 'token' | 'session' | 'verify' | 'account' | 'none'
  input?: z.ZodMiniType
  output: z.ZodMiniType
  status?: NonNullable<EndpointDefinition['status']>
  query?: z.ZodMiniObject
}

type Name = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

const publicCall = (name: Name, handle: handlers.PublicHandler, description: Description) =>
  ({ audience: 'public', name, handle, ...description }) as const

/**
 * `isLook`: a call by which the page of a link finds out whose it is, or by which somebody declines; it does not use the link up. Every
 * other call does, also one that only reads: nobody shall read with a link unseen (decision mailed-links).
 */
const userCall = (name: Name, handle: handlers.UserHandler, description: Description & { isLook?: boolean }) =>
  ({ audience: 'user', name, handle, ...description }) as const

export const CALLS = [
  publicCall('POST /signup', handlers.postSignUp, {
    summary:
      'Creates an account. Answers a user while its address is not confirmed; one without identities exists already.',
    limit: 'token',
    input: bodies.SignUpBody,
    query: redirect,
    output: z.union([User, Session]),
  }),
  publicCall('GET /verify', handlers.getVerify, {
    summary: 'Opens the link of an email: leads to its page with a session, or with an error, in the fragment.',
    limit: 'verify',
    input: z.extend(redirect, { token: z.string(), type: z.string() }),
    output: NoContent,
    status: 303,
  }),
  publicCall('POST /verify', handlers.postVerify, {
    summary: 'Uses the link or the code of an email, and answers a session.',
    limit: 'token',
    input: bodies.VerifyBody,
    output: Session,
  }),
  publicCall('POST /token', handlers.postToken, {
    summary: 'Signs in with a password, or renews a session with its refresh token.',
    limit: 'token',
    input: z.union([bodies.PasswordBody, bodies.RefreshBody]),
    query: z.object({ grant_type: z.enum(['password', 'refresh_token']) }),
    output: Session,
  }),
  publicCall('POST /session', postSession, {
    summary:
      'For our pages: opens the session of the cookie, or puts that of a refresh token into it, and reads what the page shows first.',
    limit: 'session',
    input: bodies.SessionBody,
    output: OpenedSession,
  }),
  publicCall('POST /session/end', postSessionEnd, {
    summary: 'For our pages: ends the session of the cookie, and the cookie.',
    limit: 'none',
    output: NoContent,
    status: 204,
  }),
  publicCall('POST /otp', handlers.postOtp, {
    summary:
      'Mails a code and a link to sign in with; create_user makes an account. The answer is the same for every address.',
    limit: 'account',
    input: bodies.OtpBody,
    query: redirect,
    output: EmptyObject,
  }),
  publicCall('POST /resend', handlers.postResend, {
    summary: 'Mails the link of a sign-up again. The answer is the same where none waits.',
    limit: 'account',
    input: bodies.ResendBody,
    query: redirect,
    output: EmptyObject,
  }),
  publicCall('POST /recover', handlers.postRecover, {
    summary: 'Mails a link to choose a new password with. The answer is the same where the address has no account.',
    limit: 'account',
    input: bodies.RecoverBody,
    query: redirect,
    output: EmptyObject,
  }),
  userCall('GET /signup/password', handlers.getSignUpPassword, {
    summary:
      'In the session of a link: whether the account has a password, may keep that of its sign-up, or has to choose one.',
    isLook: true,
    output: z.object({ password: z.enum(['set', 'waiting', 'missing']) }),
  }),
  userCall('POST /signup/password', handlers.postSignUpPassword, {
    summary:
      'Gives the account the password of its sign-up, by the secret of the browser that signed up or by keep: true.',
    input: bodies.SignUpPasswordBody,
    output: NoContent,
    status: 204,
  }),
  userCall('POST /logout', handlers.postLogout, {
    summary: 'Ends all sessions of the user, this one, or all others.',
    limit: 'none',
    isLook: true,
    query: z.object({ scope: z._default(z.enum(['global', 'local', 'others']), 'global') }),
    output: NoContent,
    status: 204,
  }),
  userCall('GET /user', handlers.getUser, {
    summary: 'The user of the session.',
    isLook: true,
    output: User,
  }),
  userCall('PUT /user', handlers.putUser, {
    summary: 'Changes the name or the password.',
    limit: 'account',
    input: bodies.UserBody,
    output: User,
  }),
  userCall('POST /factors', handlers.postFactor, {
    summary: 'Begins to add a second factor.',
    limit: 'account',
    input: bodies.EnrolBody,
    output: Enrolment,
  }),
  userCall('DELETE /factors/:id', handlers.deleteFactor, {
    summary: 'Removes a second factor.',
    input: IdParam,
    output: z.object({ id: z.uuid() }),
  }),
  userCall('POST /factors/:id/challenge', handlers.postFactorChallenge, {
    summary: 'Asks for a challenge of a second factor.',
    limit: 'verify',
    input: IdParam,
    output: Challenge,
  }),
  userCall('POST /factors/:id/verify', handlers.postFactorVerify, {
    summary: 'Answers a challenge; the session is verified with the factor from then on.',
    limit: 'verify',
    input: z.extend(IdParam, bodies.FactorResponseBody.shape),
    output: Session,
  }),
]
