import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COOKIE_HEADER } from '#contract/session-cookie.ts'
import { PASSWORD, type Person, type TestApp, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { currentCode, withFactor } from '../test/factors.ts'
import { decodeClaims } from '../test/jwt.ts'
import { mailAbout, suspend } from '../test/sanctions.ts'

const app = await testApp()
const secure = await testApp({ sibling: app, settings: { PUBLIC_URL: 'https://platenote.test' } })

const OWN_PAGE = { origin: 'http://platenote.test', [COOKIE_HEADER]: 'yes' }
const WITH_PASSWORD = '/auth/v1/token?grant_type=password'

/** A browser with a page of ours: it keeps cookies as the server says, and sends them back. */
function openBrowser({ at = app, token }: { at?: TestApp; token?: string } = {}) {
  const cookies = new Map<string, string>()
  const set: string[] = []
  const headers = () => ({
    ...OWN_PAGE,
    origin: at.config.PUBLIC_URL,
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
  })
  const post = async (path: string, body: unknown = {}, more: Record<string, string> = {}) => {
    const response = await (token ? at.withToken(token) : at.visitor).post(path, body, { ...headers(), ...more })
    set.splice(0, set.length, ...response.headers.getSetCookie())
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    /** What the last response has set. */
    set,
    post,
    open: (body: object = {}) => post('/auth/v1/session', body),
    logIn: ({ email, password }: Pick<Person, 'email' | 'password'>) => post(WITH_PASSWORD, { email, password }),
  }
}
type Browser = ReturnType<typeof openBrowser>

const signedIn = async (person: Pick<Person, 'email' | 'password'>, at?: TestApp) => {
  const browser = openBrowser(at && { at })
  assert.equal((await browser.logIn(person)).status, 200)
  return browser
}
const tokenIn = ({ cookies }: Browser) => cookies.get('platenote-session')!
const assertOver = async (browser: Browser) => assertRefused(await browser.open(), 400, 'refresh_token_not_found')
const age = (person: Pick<Person, 'id'>, by: string) => app.db`
  update auth.refresh_tokens t set created_at = t.created_at - ${by}::interval, used_at = t.used_at - ${by}::interval
  from auth.sessions s where s.id = t.session_id and s.user_id = ${person.id}`

test('our pages get every session in a cookie that no script reads, others in the body as before', async () => {
  const person = await app.user({ locale: 'fr-CA' })
  const browser = openBrowser()
  const answer = await browser.logIn(person)
  assert.doesNotMatch(answer.text, /refresh_token/)
  assert.equal((await app.withToken(answer.body.access_token).get('/auth/v1/user')).status, 200)
  assert.deepEqual(browser.set, [
    `platenote-session=${tokenIn(browser)}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Strict`,
    `platenote-account=${person.id}.fr-CA; Max-Age=7776000; Path=/; SameSite=Strict`,
  ])
  const overTls = openBrowser({ at: secure })
  await overTls.logIn(person)
  const [session = '', account = ''] = overTls.set
  assert.match(session, /^__Host-platenote-session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  assert.match(account, /^__Host-platenote-account=\S+; Max-Age=\d+; Path=\/; Secure; SameSite=Strict$/)

  const { text: signedUp } = await openBrowser().post('/auth/v1/signup', {
    email: `new-${person.email}`,
    password: PASSWORD,
  })
  assert.doesNotMatch(signedUp, /refresh_token/)
  const { factorId, secret, token } = await withFactor(app, await app.user())
  const stepping = openBrowser({ token })
  const { body: challenge } = await stepping.post(`/auth/v1/factors/${factorId}/challenge`)
  const code = currentCode(secret, 1)
  const verified = await stepping.post(`/auth/v1/factors/${factorId}/verify`, { challenge_id: challenge.id, code })
  assert.deepEqual([verified.status, decodeClaims(verified.body.access_token).aal], [200, 'aal2'])
  assert.doesNotMatch(verified.text, /refresh_token/)
  assert.equal((await stepping.open()).status, 200)

  const { body, headers } = await app.visitor.post(WITH_PASSWORD, { email: person.email, password: PASSWORD })
  assert.equal(headers.get('set-cookie'), null)
  // a session that was kept elsewhere moves into the cookie, also when the first answer is lost
  for (const moved of [openBrowser(), openBrowser()]) {
    const { text, status } = await moved.open({ refresh_token: body.refresh_token })
    assert.equal(status, 200)
    assert.doesNotMatch(text, /refresh_token/)
    assert.equal((await moved.open()).status, 200)
  }
})

test('pages that open in a row or together keep one family of tokens, whatever is lost or late; a copy is still noticed', async () => {
  const person = await app.user()
  const countSessions = async () => (await app.db`select from auth.sessions where user_id = ${person.id}`).length
  const before = await countSessions()
  const browser = await signedIn(person)
  const first = tokenIn(browser)
  for (let i = 0; i < 100; i += 3) {
    const answers = await Promise.all([browser.open(), browser.open(), browser.open()])
    for (const { status } of answers) assert.equal(status, 200)
  }
  assert.equal(tokenIn(browser), first)

  await age(person, '51 minutes')
  const lost = openBrowser()
  lost.cookies.set('platenote-session', first)
  await lost.open()
  const tabs = await Promise.all([1, 2, 3].map(() => browser.open()))
  const next = tokenIn(browser)
  assert.deepEqual([tokenIn(lost) === next, next === first], [true, false])
  assert.equal((await app.withToken(tabs[0]!.body.access_token).get('/auth/v1/user')).status, 200)
  await age(person, '100 seconds')
  const late = openBrowser()
  late.cookies.set('platenote-session', first)
  assert.equal((await late.open()).status, 200)
  assert.equal(tokenIn(late), next)
  assert.equal((await countSessions()) - before, 1)

  await age(person, '1 minute')
  late.cookies.set('platenote-session', first)
  assertRefused(await late.open(), 400, 'refresh_token_already_used')
  await assertOver(browser)
  await mailAbout(app, person.email, /signed a device out/)
})

test('what a page shows first comes with the session, for its person alone, and nothing else does', async () => {
  const person = await app.user()
  const { plate, id } = await app.vehicle(person)
  const browser = await signedIn(person)
  const own = ['/api/vehicles?limit=1', '/auth/v1/user']
  const refused = ['/api/live', `/api/vehicles/${id}`, '/openapi.json', '/auth/v1/verify', '/message-attachments/x']
  const { body } = await browser.open({ first: [...own, '/api/admin/inbox/counts', ...refused] })
  assert.deepEqual(Object.keys(body.first), [...own, '/api/admin/inbox/counts'])
  assert.deepEqual(
    Object.values<{ status: number }>(body.first).map(({ status }) => status),
    [200, 200, 403],
  )
  assert.equal(JSON.parse(body.first[own[0]!].body).items[0].plate, plate)
  const tooMany = Array.from({ length: 9 }, () => '/api/vehicles')
  assertRefused(await browser.open({ first: tooMany }), 400, 'bad_json')
})

test('nothing but a script of our pages acts with the cookie', async () => {
  const person = await app.user()
  for (const [browser, at] of [
    [await signedIn(person), app],
    [await signedIn(person, secure), secure],
  ] as const) {
    const before = [...browser.cookies]
    const own = at.config.PUBLIC_URL
    for (const path of ['/auth/v1/session', '/auth/v1/session/end', WITH_PASSWORD]) {
      for (const headers of [
        { origin: 'https://elsewhere.example' },
        { origin: own.replace('://', '://shop.') },
        { origin: own.replace('://', '://shop.'), 'sec-fetch-site': 'same-site' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/x-www-form-urlencoded' },
      ] as Record<string, string>[]) {
        const body = path === WITH_PASSWORD ? { email: person.email, password: PASSWORD } : {}
        const answer = await browser.post(path, body, headers)
        assert.deepEqual([answer.status, answer.body.error_code], [403, 'validation_failed'])
        assert.deepEqual(browser.set, [], `${path} ${JSON.stringify(headers)}`)
      }
    }
    const cookie = before.map((pair) => pair.join('=')).join('; ')
    for (const path of ['/auth/v1/session', '/auth/v1/session/end'])
      assertRefused(await at.visitor.get(path, { cookie }), 405, 'method_not_allowed')
    assert.equal((await at.visitor.post('/auth/v1/session', {}, { cookie })).status, 403) // no Origin: no page
    assert.equal((await at.visitor.get('/api/vehicles', { cookie })).status, 401)
    assert.equal((await browser.open()).status, 200)
    assert.deepEqual([...browser.cookies], before)
  }
  // a subdomain can set the name without the prefix only, beside ours or alone
  const planted = await signedIn(await app.user())
  for (const browser of [await signedIn(person, secure), openBrowser({ at: secure })]) {
    const isSignedIn = browser.cookies.size > 0
    browser.cookies.set('platenote-session', tokenIn(planted))
    const { status, body } = await browser.open()
    assert.deepEqual([status, body.user?.id], isSignedIn ? [200, person.id] : [400, undefined])
  }
})

test('whatever ends a session ends that of the cookie', async () => {
  const admin = await app.user()
  await app.db`update auth.users set is_admin = true where id = ${admin.id}`
  const { factorId, secret } = await withFactor(app, admin)
  const session = (person: Person) => app.signIn(person.email, PASSWORD)
  const ways: Record<string, (person: Person, browser: Browser) => Promise<unknown>> = {
    everywhere: async (person) => (await session(person)).post('/auth/v1/logout?scope=global'),
    'a new password': (person) =>
      person.put('/auth/v1/user', { password: 'Quiet-harbour-52', current_password: PASSWORD }),
    deletion: (person) => person.post('/functions/v1/delete-user', { id: person.id }),
    suspension: async (person) => {
      const verified = await app.signIn(admin.email, PASSWORD)
      const { body } = await verified.post(`/auth/v1/factors/${factorId}/challenge`)
      await app.db`update auth.factors set last_step = null`
      const answer = { challenge_id: body.id, code: currentCode(secret) }
      const { access_token } = (await verified.post(`/auth/v1/factors/${factorId}/verify`, answer)).body
      await suspend({ ...admin, ...app.withToken(access_token) }, person)
    },
    'a sign-in of another person in this browser': async (_, browser) => {
      const former = new Map(browser.cookies)
      const next = await app.user()
      await browser.logIn(next)
      assert.equal((await browser.open()).body.user.id, next.id)
      for (const [name, value] of former) browser.cookies.set(name, value)
    },
    'signing out': async (_, browser) => {
      const former = tokenIn(browser)
      assert.equal((await browser.post('/auth/v1/session/end')).status, 204)
      assert.equal(browser.cookies.size, 0)
      assert.equal((await browser.post('/auth/v1/session/end')).status, 204) // again, as when an answer is lost
      browser.cookies.set('platenote-session', former)
    },
  }
  for (const [way, end] of Object.entries(ways)) {
    const person = await app.user()
    const [browser, other] = [await signedIn(person), await signedIn(await app.user())]
    await end(person, browser)
    assertRefused(await browser.open(), 400, 'refresh_token_not_found')
    assert.equal((await other.open()).status, 200, way)
  }

  for (const columns of ['created_at', 'refreshed_at'] as const) {
    const browser = await signedIn(admin)
    assert.match(browser.set[0]!, /Max-Age=43200;/)
    if (columns === 'created_at')
      await app.db`update auth.sessions set created_at = now() - interval '12 hours 1 minute' where user_id = ${admin.id}`
    else await app.db`update auth.sessions set created_at = now() - interval '31 minutes' where user_id = ${admin.id}`
    assertRefused(await browser.open(), 400, 'session_expired')
  }
})
