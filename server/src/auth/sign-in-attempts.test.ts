import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { after, test } from 'node:test'
import { PASSWORD, type Person, testApp } from '../test/app.ts'
import { assertRefused } from '../test/auth-links.ts'
import { eventually } from '../test/eventually.ts'

// Guessing at one account from many networks (decision rate-limits): the owner is notified, and nobody is locked out.

const unlimitedApp = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
const app = await testApp({ sibling: unlimitedApp, settings: { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' } })
after(async () => {
  await app.close()
  await unlimitedApp.close()
})

/** The least time an attempt takes while many fail; it may take longer, never less. */
const SLOWED_DOWN_MS = 3_000
const SUBJECT = 'Many failed attempts to log in to your PlateNote account'

let networkCount = 0
/** Returns an address in a network of its own: no two share a /48. */
const newNetwork = () => `2001:db8:${(++networkCount).toString(16)}::1`

const signIn = async (email: string, password: string, ip: string) => {
  const start = performance.now()
  const response = await app.visitor.post(
    '/auth/v1/token?grant_type=password',
    { email, password },
    { 'x-forwarded-for': ip },
  )
  return { ...response, tookMs: performance.now() - start }
}
const failFromEverywhere = async (email: string, count: number) => {
  for (let i = 0; i < count; i++) {
    const response = await signIn(email, 'Wrong-horse-7', newNetwork())
    assertRefused(response, 400, 'invalid_credentials')
  }
}
const failureMails = async (person: Person) => {
  const mails = await app.mails(person.email, 0)
  return mails.filter(({ subject }) => subject === SUBJECT)
}

test('after 25 failures within an hour the owner gets one email, and attempts from new networks wait', async () => {
  const person = await unlimitedApp.user()
  const home = newNetwork()
  assert.equal((await signIn(person.email, PASSWORD, home)).status, 200)

  await failFromEverywhere(person.email, 24)
  assert.deepEqual(await failureMails(person), [])
  await failFromEverywhere(person.email, 1)
  const [mail] = await eventually(async () => {
    const found = await failureMails(person)
    return found.length > 0 ? found : undefined
  })
  assert.match(mail!.text, /your account isn’t locked/)
  assert.match(mail!.text, /forgot-password/)

  // a guess waits, right or wrong
  const guess = await signIn(person.email, 'Wrong-horse-7', newNetwork())
  assertRefused(guess, 400, 'invalid_credentials')
  assert.ok(guess.tookMs >= SLOWED_DOWN_MS, `${guess.tookMs} ms`)
  const elsewhere = await signIn(person.email, PASSWORD, newNetwork())
  assert.equal(elsewhere.status, 200)
  assert.ok(elsewhere.tookMs >= SLOWED_DOWN_MS, `${elsewhere.tookMs} ms`)
  // the network the owner signed in from before is not slowed down
  const [row] = await app.db<{ count: number }[]>`
    select count(*)::int as count from outbox where recipient_id = ${person.id} and kind = 'sign_in_failures'`
  assert.equal(row!.count, 1)
  assert.equal((await signIn(person.email, PASSWORD, home)).status, 200)
})

test('an address without an account is slowed down alike', async () => {
  const email = 'nobody-here@example.com'
  await failFromEverywhere(email, 25)
  const response = await signIn(email, 'Wrong-horse-7', newNetwork())
  assertRefused(response, 400, 'invalid_credentials')
  assert.ok(response.tookMs >= SLOWED_DOWN_MS, `${response.tookMs} ms`)
})

test('the networks around an address are counted too: a /48 cannot go on guessing from its 65,536 networks', async () => {
  const person = await unlimitedApp.user()
  const attempt = (subnet: number) => signIn(person.email, 'Wrong-horse-7', `2001:db8:ffff:${subnet.toString(16)}::1`)
  const responses = []
  // one attempt from each /64, in different /56 networks
  const NETWORKS = 41
  // some at a time: an attempt is slow while many fail
  for (let i = 0; i < NETWORKS - 1; i += 8)
    responses.push(...(await Promise.all(Array.from({ length: 8 }, (_, j) => attempt((i + j) * 256)))))
  responses.push(await attempt((NETWORKS - 1) * 256))
  const refused = responses.filter(({ status }) => status === 429)
  assert.deepEqual([refused.length, responses.at(-1)?.status], [1, 429])
  assert.ok(Number(refused[0]?.headers.get('retry-after')) > 60)
})
