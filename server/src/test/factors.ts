import assert from 'node:assert/strict'
import type { GoTrueClient } from '@supabase/auth-js'
import { TOTP } from 'otpauth'
import type { Person, TestApp } from './app.ts'
import { beginByCode } from './sessions.ts'

/** Where the tests' passkeys belong: the PUBLIC_URL of `testApp`. */
export const SITE = { rpId: 'platenote.test', origin: 'http://platenote.test' }

/**
 * Returns a code that has not been used. Each further one of a factor is of a later step, which the server accepts up to
 * one step ahead of its clock.
 *
 * @param ahead how many steps
 */
export const currentCode = (secret: string, ahead = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + ahead * 30_000 })

/** Lets the codes of every app be used again, as half a minute would. */
export const forgetUsedCodes = (app: TestApp) => app.db`update auth.factors set last_step = null`

/** Enrols an authenticator app with the unmodified client, and verifies its session with it. Returns its id and secret. */
export async function enrolApp(auth: GoTrueClient, friendlyName = 'Phone'): Promise<{ id: string; secret: string }> {
  const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName })
  assert.equal(enrolled.error, null)
  const { id, totp } = enrolled.data
  const verified = await auth.mfa.challengeAndVerify({ factorId: id, code: currentCode(totp.secret) })
  assert.equal(verified.error, null)
  return { id, secret: totp.secret }
}

/** Enrols an authenticator app for a person without a client, and returns them with the verified session's token. */
export async function withFactor(app: TestApp, person: Person): Promise<Person & { factorId: string; secret: string }> {
  await beginByCode(app, person)
  const { body: factor } = await person.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Phone' })
  const { secret } = factor.totp
  return { ...(await verifiedWith(app, person, factor.id, secret)), factorId: factor.id, secret }
}

/** Verifies a person's session with their app, and returns them with the new token. */
export async function verifiedWith(app: TestApp, person: Person, factorId: string, secret: string): Promise<Person> {
  await forgetUsedCodes(app)
  const { body: challenge } = await person.post(`/auth/v1/factors/${factorId}/challenge`)
  const { status, body, text } = await person.post(`/auth/v1/factors/${factorId}/verify`, {
    challenge_id: challenge.id,
    code: currentCode(secret),
  })
  assert.equal(status, 200, text)
  return { ...person, ...app.withToken(body.access_token), token: body.access_token, refreshToken: body.refresh_token }
}
