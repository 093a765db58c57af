import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { suspend } from '../test/sanctions.ts'
import { HASH_PARAMETERS } from './password.ts'

// Whether an address has an account must not show in how long the server takes.

const app = await testApp({ passwordHashing: HASH_PARAMETERS })

const CALLS = {
  recover: (email: string) => app.visitor.post('/auth/v1/recover', { email }),
  otp: (email: string) => app.visitor.post('/auth/v1/otp', { email, create_user: false }),
  resend: (email: string) => app.visitor.post('/auth/v1/resend', { type: 'signup', email }),
  'sign-in': (email: string) =>
    app.visitor.post('/auth/v1/token?grant_type=password', { email, password: 'Wrong-horse-7' }),
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const PAIRS = 100
/**
 * Far above the noise of a median of so many pairs, and far below what skipping a hash would cause. Statements: see
 * below.
 */
const RATIO_MAX = 1.4

async function createPeople(): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < 12; i++) people.push(await app.user())
  return people
}

/** Asserts that a call, made for the nth time, takes as long for addresses of accounts as for others. */
async function assertEvenTime(
  call: (email: string, i: number) => Promise<unknown>,
  accounts: readonly { email: string }[],
): Promise<void> {
  const known = (i: number) => accounts[i % accounts.length]!.email
  for (let i = 0; i < 6; i++) await Promise.all([call(known(i), i), call(`warm-${randomUUID()}@example.com`, i + 6)])
  const ratios: number[] = []
  for (let i = 0; i < PAIRS; i++) {
    const emails = { known: known(i), unknown: `nobody-${randomUUID()}@example.com` }
    // alternating, so that neither always comes second
    const first = i % 2 ? 'known' : 'unknown'
    const took = { known: 0, unknown: 0 }
    for (const who of [first, first === 'known' ? 'unknown' : 'known'] as const)
      took[who] = await measure(() => call(emails[who], i))
    ratios.push(took.known / took.unknown)
  }
  const ratio = median(ratios)
  assert.ok(ratio < RATIO_MAX && ratio > 1 / RATIO_MAX, `known to unknown ${ratio.toFixed(2)}`)
}

// the three that mail a link queue the same row, which is timed once
for (const name of ['recover', 'sign-in'] as const) {
  test(`${name} takes as long for an address with an account as for one without`, async () =>
    assertEvenTime(CALLS[name], await createPeople()))
}

test('a wrong code takes as long for any account, with a code, confirmed or suspended or not, as for an address without one', async () => {
  const admin = await createAdmin(app)
  const people = await createPeople()
  for (const [i, person] of people.entries()) {
    if (i % 4 === 1) await suspend(admin, person)
    if (i % 4 === 2) await app.db`update auth.users set email_confirmed_at = null where id = ${person.id}`
    if (i % 4 === 3) continue // has no code
    await app.visitor.post('/auth/v1/otp', { email: person.email })
    await eventually(async () => (await app.mails(person.email)).find(({ subject }) => /^\d{6} /.test(subject)))
  }
  const guess = (email: string) => app.visitor.post('/auth/v1/verify', { type: 'email', email, token: 'guess!' })
  await assertEvenTime(guess, people)
})

for (const name of ['recover', 'otp', 'resend'] as const) {
  test(`${name} responds without waiting for the account, and the link is still sent`, async () => {
    const person = await app.user()
    if (name === 'resend') {
      // as after a sign-up whose link was not clicked yet
      await app.db`update auth.users set email_confirmed_at = null where id = ${person.id}`
      await app.db`
        insert into auth.sign_ups (id, user_id, encrypted_password) values (gen_random_uuid(), ${person.id}, 'hash')`
    }
    await app.db.begin(async (tx) => {
      await tx`select from auth.users where id = ${person.id} for update`
      // anything that touches the account before responding would wait here until the lock timeout, and fail
      assert.equal((await CALLS[name](person.email)).status, 200)
    })
    assert.equal((await app.mails(person.email)).length, 1)
  })
}

test('asking for the address of an account takes as long as for any other, and waits for neither', async () => {
  const people = await createPeople()
  const ask = (email: string, i: number) => people[i % people.length]!.post('/api/email-change', { email })
  await assertEvenTime(ask, await createPeople())
  const { id, email } = await app.user()
  await app.db.begin(async (tx) => {
    await tx`select from auth.users where id = ${id} for update`
    assert.equal((await ask(email, 0)).status, 200)
  })
})

test('requests that a process left behind are processed by the next one', async () => {
  const person = await app.user()
  await app.db`
    insert into auth.link_request_queue (id, email, call, locale)
    values (gen_random_uuid(), ${person.email}, 'recover', 'fr-CA')`
  const _next = await testApp({ settings: { DATABASE_POOL: '4' }, sibling: app })
  const [mail] = await app.mails(person.email)
  assert.match(mail!.text, /redirect_to=http%3A%2F%2Fplatenote\.test%2Ffr%2Freset-password/)
})
