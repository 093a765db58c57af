import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TOTP } from 'otpauth'
import { newEmail, type Person, type TestApp, testApp } from '../test/app.ts'
import { authFailure, createAuthClient, signInClient } from '../test/auth-client.ts'
import { createAuthenticator } from '../test/authenticator.ts'
import { currentCode, enrolApp, forgetUsedCodes, SITE, withFactor } from '../test/factors.ts'
import { beginByCode, signInWithCode } from '../test/sessions.ts'
import { verifyTotp } from './totp.ts'

// Second factors through the unmodified client (decision second-factor).

const app: TestApp = await testApp()

const claimsOf = (token: string | undefined) =>
  JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as {
    aal: string
    amr: { method: string }[]
    session_id: string
  }

/** Signs a new person in with a client of their own, as an emailed code would: a first factor needs that. */
async function signInByCode(on = app) {
  const client = await signInClient(on)
  await beginByCode(on, client.person)
  return client
}

async function signInAgain({ email, password }: { email: string; password: string }) {
  const client = createAuthClient(app.url)
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  assert.equal(error, null)
  return { ...client, token: data.session?.access_token ?? '' }
}

const callApi = async (token: string | undefined) => {
  const { status, body } = await app.withToken(token ?? '').get('/api/dashboard')
  return status === 200 ? 200 : [status, body.code]
}

describe('an authenticator app', () => {
  test('is enrolled, verified, and asked for at the next sign-in', async () => {
    const { auth, stored, person, events } = await signInByCode()
    const enrolled = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'PlateNote' })
    assert.equal(enrolled.error, null)
    const { id, type, friendly_name, totp } = enrolled.data
    assert.deepEqual([type, friendly_name], ['totp', 'Phone'])
    assert.match(totp.secret, /^[A-Z2-7]{32}$/)
    assert.match(totp.uri, /^otpauth:\/\/totp\/PlateNote:person-/)
    assert.match(totp.qr_code, /^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/)

    // enrolled only, it changes nothing
    const before = await auth.mfa.listFactors()
    assert.deepEqual([before.data?.totp, before.data?.all.map(({ status }) => status)], [[], ['unverified']])
    assert.deepEqual((await auth.mfa.getAuthenticatorAssuranceLevel()).data?.nextLevel, 'aal1')
    assert.equal(await callApi((await signInAgain(person)).token), 200)

    const challenge = await auth.mfa.challenge({ factorId: id })
    assert.equal(challenge.data?.type, 'totp')
    const wrong = await auth.mfa.verify({ factorId: id, challengeId: challenge.data!.id, code: '000000' })
    assert.deepEqual(authFailure(wrong), { name: 'AuthApiError', status: 422, code: 'mfa_verification_failed' })
    const sessionId = claimsOf(stored()?.access_token).session_id
    const code = currentCode(totp.secret)
    const verified = await auth.mfa.verify({ factorId: id, challengeId: challenge.data!.id, code })
    assert.equal(verified.error, null)
    assert.equal(events.at(-1), 'MFA_CHALLENGE_VERIFIED')
    const claims = claimsOf(stored()?.access_token)
    assert.deepEqual([claims.aal, claims.amr.map(({ method }) => method)], ['aal2', ['totp', 'otp']])
    assert.equal(claims.session_id, sessionId)
    assert.deepEqual(
      (await auth.mfa.listFactors()).data?.totp.map((factor) => factor.id),
      [id],
    )

    // a renewal keeps the level
    assert.equal((await auth.refreshSession()).error, null)
    const level = await auth.mfa.getAuthenticatorAssuranceLevel()
    assert.deepEqual([level.data?.currentLevel, level.data?.nextLevel], ['aal2', 'aal2'])
    assert.equal(await callApi(stored()?.access_token), 200)

    const again = await signInAgain(person)
    const asked = await again.auth.mfa.getAuthenticatorAssuranceLevel()
    assert.deepEqual([asked.data?.currentLevel, asked.data?.nextLevel], ['aal1', 'aal2'])
    assert.deepEqual(await callApi(again.token), [403, 'second_factor_required'])
    const reused = await again.auth.mfa.challengeAndVerify({ factorId: id, code })
    assert.equal(authFailure(reused).code, 'mfa_verification_failed')
    await forgetUsedCodes(app)
    assert.equal((await again.auth.mfa.challengeAndVerify({ factorId: id, code })).error, null)
    assert.equal(await callApi(again.stored()?.access_token), 200)
    // the token from before the second step is worth no more than before
    assert.deepEqual(await callApi(again.token), [403, 'second_factor_required'])
  })

  test('a challenge is good once, for five minutes, in the session that asked', async () => {
    const { auth, person } = await signInByCode()
    const { id, secret } = await enrolApp(auth)
    const challenge = async (client: typeof auth) => (await client.mfa.challenge({ factorId: id })).data!.id
    const verify = async (client: typeof auth, challengeId: string) => {
      await forgetUsedCodes(app)
      const result = await client.mfa.verify({ factorId: id, challengeId, code: currentCode(secret) })
      return result.error && authFailure(result).code
    }
    const used = await challenge(auth)
    assert.equal(await verify(auth, used), null)
    assert.equal(await verify(auth, used), 'mfa_factor_not_found')

    const elsewhere = await signInAgain(person)
    assert.equal(await verify(elsewhere.auth, await challenge(auth)), 'mfa_factor_not_found')

    const late = await challenge(auth)
    await app.db`update auth.factor_challenges set expires_at = now() where id = ${late}`
    assert.equal(await verify(auth, late), 'mfa_challenge_expired')

    const stranger = await signInClient(app)
    const theirs = await stranger.auth.mfa.challenge({ factorId: id })
    assert.deepEqual(authFailure(theirs), { name: 'AuthApiError', status: 404, code: 'mfa_factor_not_found' })
  })

  test('two requests with one code at the same moment: one is verified', async () => {
    const { auth, stored } = await signInByCode()
    const { id, secret } = await enrolApp(auth)
    await forgetUsedCodes(app)
    const caller = app.withToken(stored()?.access_token ?? '')
    const challenges = await Promise.all([1, 2, 3].map(() => caller.post(`/auth/v1/factors/${id}/challenge`)))
    const code = currentCode(secret)
    const responses = await Promise.all(
      challenges.map(({ body }) => caller.post(`/auth/v1/factors/${id}/verify`, { challenge_id: body.id, code })),
    )
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 422, 422])
  })

  test('a response that was lost does not end the session: the token before it is exchanged for the newest', async () => {
    const { auth, stored } = await signInByCode()
    const before = stored()!
    await enrolApp(auth)
    const late = createAuthClient(app.url)
    const { data, error } = await late.auth.refreshSession({ refresh_token: before.refresh_token })
    assert.equal(error, null)
    assert.equal(data.session?.refresh_token, stored()?.refresh_token)
    assert.equal(claimsOf(data.session?.access_token).aal, 'aal2')
  })
})

/** Begins to enrol a passkey; `answer` gives what an authenticator makes for a site and a challenge, those asked for if left out. */
async function enrolPasskey(
  auth: Awaited<ReturnType<typeof signInClient>>['auth'],
  key: ReturnType<typeof createAuthenticator>,
) {
  const enrolled = await auth.mfa.webauthn.enroll({ friendlyName: 'Key' })
  assert.equal(enrolled.error, null)
  const factorId = enrolled.data!.id
  const created = await auth.mfa.challenge({ factorId, webauthn: { rpId: SITE.rpId, rpOrigins: [SITE.origin] } })
  assert.ok(created.data?.webauthn.type === 'create')
  const { publicKey } = created.data.webauthn.credential_options
  const challengeId = created.data.id
  const answer = (site: Partial<typeof SITE> = {}, challenge = publicKey.challenge as ArrayBuffer | Uint8Array) => {
    const credential_response = key.create({ ...SITE, ...site, challenge }) as never
    const webauthn = { type: 'create' as const, rpId: SITE.rpId, credential_response }
    return auth.mfa.webauthn.verify({ factorId, challengeId, webauthn })
  }
  return { factorId, publicKey, answer }
}

describe('a passkey', () => {
  test('is enrolled, verified, and asked for at the next sign-in', async () => {
    const key = createAuthenticator()
    const { auth, stored, person } = await signInByCode()
    const { factorId, publicKey, answer: create } = await enrolPasskey(auth, key)
    assert.deepEqual([publicKey.rp.id, publicKey.user.name], [SITE.rpId, person.email])
    // another site, and a challenge the server did not set
    for (const foreign of [
      create({ origin: 'https://evil.example' }),
      create({ rpId: 'evil.example' }),
      create({}, Buffer.alloc(32)),
    ]) {
      assert.equal(authFailure(await foreign).code, 'mfa_verification_failed')
    }
    assert.equal((await create()).error, null)
    const claims = claimsOf(stored()?.access_token)
    assert.deepEqual([claims.aal, claims.amr.map(({ method }) => method)], ['aal2', ['mfa/webauthn', 'otp']])
    assert.deepEqual(
      (await auth.mfa.listFactors()).data?.webauthn.map((factor) => factor.friendly_name),
      ['Key'],
    )

    const again = await signInAgain(person)
    assert.deepEqual(await callApi(again.token), [403, 'second_factor_required'])
    const answer = async (authenticator: ReturnType<typeof createAuthenticator>, origin = SITE.origin) => {
      const asked = await again.auth.mfa.challenge({ factorId, webauthn: { rpId: SITE.rpId } })
      assert.ok(asked.data?.webauthn.type === 'request')
      const { challenge } = asked.data.webauthn.credential_options.publicKey
      return again.auth.mfa.webauthn.verify({
        factorId,
        challengeId: asked.data.id,
        webauthn: {
          type: 'request',
          rpId: SITE.rpId,
          credential_response: authenticator.get({ ...SITE, origin, challenge: challenge as ArrayBuffer }) as never,
        },
      })
    }
    assert.equal(authFailure(await answer(createAuthenticator())).code, 'mfa_verification_failed')
    assert.equal(authFailure(await answer(key, 'https://evil.example')).code, 'mfa_verification_failed')
    assert.equal((await answer(key)).error, null)
    assert.equal(await callApi(again.stored()?.access_token), 200)
    // a copy of the authenticator, whose counter is behind
    key.counter = 1
    assert.equal(authFailure(await answer(key)).code, 'mfa_verification_failed')
  })
})

describe('what protects the factors themselves', () => {
  test('a factor that somebody else with the password had begun to enrol does not let them in once there is another', async () => {
    const { auth, person } = await signInByCode()
    const stranger = await signInAgain(person)
    await beginByCode(app, person) // they have read one code
    const begun = await stranger.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Theirs' })
    assert.equal(begun.error, null)
    const { data: asked } = await stranger.auth.mfa.challenge({ factorId: begun.data!.id })

    // the owner, who suspects something, enrols a factor of another kind
    const { answer } = await enrolPasskey(auth, createAuthenticator())
    assert.equal((await answer()).error, null)

    const { id, totp } = begun.data!
    for (const challengeId of [asked!.id, (await stranger.auth.mfa.challenge({ factorId: id })).data?.id ?? '']) {
      const response = await stranger.auth.mfa.verify({ factorId: id, challengeId, code: currentCode(totp.secret) })
      assert.deepEqual(authFailure(response), { name: 'AuthApiError', status: 403, code: 'insufficient_aal' })
    }
    assert.deepEqual(await callApi(stranger.stored()?.access_token), [403, 'second_factor_required'])
  })

  test('a first passkey that was begun is not made in a session that only the password began', async () => {
    const { auth, person } = await signInByCode()
    const { factorId, answer } = await enrolPasskey(auth, createAuthenticator())
    const stranger = await signInAgain(person)
    const asked = await stranger.auth.mfa.challenge({ factorId, webauthn: { rpId: SITE.rpId } })
    assert.ok(asked.data?.webauthn.type === 'create')
    const { challenge } = asked.data.webauthn.credential_options.publicKey
    const credential_response = createAuthenticator().create({ ...SITE, challenge: challenge as ArrayBuffer }) as never
    const theirs = await stranger.auth.mfa.webauthn.verify({
      factorId,
      challengeId: asked.data.id,
      webauthn: { type: 'create', rpId: SITE.rpId, credential_response },
    })
    assert.deepEqual(authFailure(theirs), { name: 'AuthApiError', status: 400, code: 'reauthentication_needed' })
    assert.equal((await answer()).error, null)
  })

  test('another one and a removal need a verified session', async () => {
    const { auth, stored, person } = await signInByCode()
    const { id } = await enrolApp(auth)

    const again = await signInAgain(person)
    const second = await again.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
    assert.deepEqual(authFailure(second), { name: 'AuthApiError', status: 403, code: 'insufficient_aal' })
    const removal = await again.auth.mfa.unenroll({ factorId: id })
    assert.deepEqual(authFailure(removal), { name: 'AuthApiError', status: 422, code: 'insufficient_aal' })
    const password = await again.auth.updateUser({ password: 'Another-horse-8', current_password: person.password })
    assert.deepEqual(authFailure(password), { name: 'AuthApiError', status: 401, code: 'insufficient_aal' })

    const conflict = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    assert.equal(authFailure(conflict).code, 'mfa_factor_name_conflict')
    assert.equal((await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })).error, null)

    const token = stored()?.access_token
    assert.deepEqual((await auth.mfa.unenroll({ factorId: id })).data, { id })
    // without a factor the password is enough again, and the former level is gone
    assert.equal(await callApi(again.token), 200)
    assert.equal((await auth.refreshSession()).error, null)
    assert.equal(claimsOf(stored()?.access_token).aal, 'aal1')
    assert.equal(await callApi(token), 200)
    const mails = await app.mails(person.email, 2)
    assert.deepEqual(mails.map(({ subject }) => subject).toSorted(), [
      'Two-step verification for your PlateNote account was changed',
      'Two-step verification was added to your PlateNote account',
    ])
  })

  test('an account has at most ten, and names of one kind of nonsense are refused', async () => {
    const caller = await signInWithCode(app, newEmail())
    const enrol = (n: number) => caller.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: `No. ${n}` })
    for (let n = 1; n <= 10; n++) assert.equal((await enrol(n)).status, 200)
    assert.equal((await enrol(11)).body.error_code, 'too_many_enrolled_mfa_factors')
    for (const body of [{}, { factor_type: 'sms' }, { factor_type: 'totp', friendly_name: 'x'.repeat(101) }]) {
      assert.equal((await caller.post('/auth/v1/factors', body)).body.error_code, 'validation_failed')
    }
    assert.equal((await caller.post('/auth/v1/factors', { factor_type: 'phone' })).status, 422)
  })
})

const limited = await testApp({ settings: { LIMIT_SCALE: '1', TRUST_PROXY: 'loopback' } })

describe('guessing codes', () => {
  test('five wrong codes end a challenge', async () => {
    const { auth, person } = await signInByCode(limited)
    const { id, secret } = await enrolApp(auth)
    const guesser = createAuthClient(limited.url)
    await guesser.auth.signInWithPassword({ email: person.email, password: person.password })
    const guess = async (challengeId: string, code = '000000') => {
      const result = await guesser.auth.mfa.verify({ factorId: id, challengeId, code })
      return result.error ? authFailure(result).code : null
    }
    const ask = async () => (await guesser.auth.mfa.challenge({ factorId: id })).data!.id
    const first = await ask()
    for (let n = 0; n < 5; n++) assert.equal(await guess(first), 'mfa_verification_failed')
    await forgetUsedCodes(limited)
    assert.equal(await guess(first, currentCode(secret)), 'mfa_challenge_expired')
  })

  test('somebody with the password elsewhere uses up no tries of the person, where they use their app', async () => {
    const person = await withFactor(limited, await limited.user())
    const guessFrom = async (ip: string, who: Person, code: string) => {
      const from = { 'x-forwarded-for': ip }
      await forgetUsedCodes(limited)
      const { body } = await who.post(`/auth/v1/factors/${person.factorId}/challenge`, {}, from)
      const answer = { challenge_id: body.id, code }
      return (await who.post(`/auth/v1/factors/${person.factorId}/verify`, answer, from)).status
    }
    const signIn = () => limited.signIn(person.email, person.password)
    const home = await signIn()
    assert.equal(await guessFrom('203.0.113.7', home, currentCode(person.secret)), 200)
    const stranger = await signIn()
    // whatever networks they come from
    for (let n = 0; n < 10; n++) assert.equal(await guessFrom(`198.51.${n}.1`, stranger, '000000'), 422)
    assert.equal(await guessFrom('192.0.2.1', stranger, currentCode(person.secret)), 429)
    assert.equal(await guessFrom('203.0.113.7', await signIn(), currentCode(person.secret)), 200)
    // a verified session gives a fresh code anywhere
    assert.equal(await guessFrom('192.0.2.1', person, currentCode(person.secret)), 200)
    assert.equal(await guessFrom('203.0.113.9', await signIn(), currentCode(person.secret)), 429)
  })
})

/** '12345678901234567890' of RFC 6238, appendix B, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('a clock may be half a minute off, and a code is good once, however it is padded', async () => {
  const now = 1_234_567_890
  const step = Math.floor(now / 30)
  const codeOf = (at: number) => new TOTP({ secret: RFC_SECRET }).generate({ timestamp: at * 30_000 })
  const verify = (at: number, last: number | null = null) => verifyTotp(RFC_SECRET, codeOf(at), now, last)
  for (const near of [step - 1, step, step + 1]) assert.equal(await verify(near), near)
  for (const far of [step - 2, step + 2]) assert.equal(await verify(far), null)
  const later = await Promise.all([verify(step, step), verify(step - 1, step), verify(step, step - 1)])
  assert.deepEqual(later, [null, null, step])
  assert.equal(await verifyTotp(RFC_SECRET, ` ${codeOf(step)}`, now, null), null)
})
