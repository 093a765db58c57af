import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { networkLimitKey } from '../limits/rate-limiter.ts'
import { type Caller, deleteAccount, type Person, type TestResponse, testApp } from '../test/app.ts'

// The limits on sending follow the person and the network, not the account (decision rate-limits). Users are created on a server
// with raised limits, and messages are sent through one with the real ones, from the networks the tests name.

const unlimitedApp = await testApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
const app = await testApp({ sibling: unlimitedApp, settings: { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' } })
const other = await testApp({ sibling: unlimitedApp, settings: { LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1' } })

const owner = await unlimitedApp.user()
const { plate } = await unlimitedApp.vehicle(owner)

const from = (ip: string) => ({ 'x-forwarded-for': ip })
let networkCount = 0
/** Returns an address of a network nothing was counted for. */
const newNetwork = () => `2001:db8:${(++networkCount).toString(16)}::1`

const send = (who: Caller, to: string, ip: string) =>
  who.post('/api/messages', { plate: to, content: 'Your lights are on' }, from(ip))
const withLimits = ({ token }: Person) => app.withToken(token)

const assertLimited = ({ status, body }: TestResponse, text: RegExp) => {
  assert.equal(status, 429, JSON.stringify(body))
  assert.match(body.error, text)
}
const UNANSWERED = /with no reply/

test('deleting the account and signing up again gives no more messages to the same vehicle', async () => {
  const email = `again-${randomUUID()}@example.com`
  const ip = newNetwork()
  const first = await unlimitedApp.user({ aged: true, email })
  for (let i = 0; i < 5; i++) assert.equal((await send(withLimits(first), plate, ip)).status, 201)
  assertLimited(await send(withLimits(first), plate, ip), UNANSWERED)
  await deleteAccount(first)

  const second = await unlimitedApp.user({ aged: true, email })
  assertLimited(await send(withLimits(second), plate, ip), UNANSWERED)
  // another spelling of the same mailbox
  const third = await unlimitedApp.user({ aged: true, email: email.replace('@', '+more@') })
  const refused = await send(withLimits(third), plate, ip)
  assertLimited(refused, UNANSWERED)
  assert.ok(Number(refused.headers.get('retry-after')) > 23 * 3600)
  // nobody else is affected, nor is another vehicle
  assert.equal((await send(withLimits(await unlimitedApp.user({ aged: true })), plate, ip)).status, 201)
  assert.equal((await send(withLimits(second), (await unlimitedApp.vehicle(owner)).plate, ip)).status, 201)
})

test('two accounts of one person that send in two processes at the same moment reach a vehicle five times', async () => {
  const email = `both-${randomUUID()}@example.com`
  const accounts = [
    await unlimitedApp.user({ aged: true, email }),
    await unlimitedApp.user({ aged: true, email: email.replace('@', '+b@') }),
  ]
  const ip = newNetwork()
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, i) => {
      const { token } = accounts[i % 2]!
      return send((i % 4 < 2 ? app : other).withToken(token), plate, ip)
    }),
  )
  assert.equal(responses.filter(({ status }) => status === 201).length, 5)
})

test('misses and messages of an hour are those of the person too', async () => {
  const email = `busy-${randomUUID()}@example.com`
  const ip = newNetwork()
  const first = await unlimitedApp.user({ aged: true, email })
  for (let i = 0; i < 15; i++) assert.equal((await send(withLimits(first), `MISS${i}`, ip)).status, 404)
  assert.equal((await send(withLimits(first), 'MISS15', ip)).status, 429)
  await deleteAccount(first)
  const second = await unlimitedApp.user({ aged: true, email })
  assert.equal((await send(withLimits(second), 'MISS15', ip)).status, 429)
  assert.equal((await send(withLimits(second), plate, ip)).status, 429)
})

/** Lets a network have used up so many of a limit, an hour ago. */
const useUp = async (purpose: 'send-network-miss' | 'send-network-first-day', network: string, count: number) => {
  await unlimitedApp.db`
    insert into rate_counters (key, window_start, count, expires_at)
    values (${networkLimitKey(app.context.keyring, purpose, network)}, now() - interval '1 hour', ${count},
      now() + interval '1 day')`
}

/** Creates a person who has missed three plates elsewhere, after which the counts of networks matter. */
const createProber = async () => {
  const who = withLimits(await unlimitedApp.user({ aged: true }))
  for (let i = 0; i < 3; i++) assert.equal((await send(who, 'NOBODY1', newNetwork())).status, 404)
  return who
}

test('a network can miss two hundred times a day, with any senders, and the networks around it a few times as often', async () => {
  const who = await createProber()
  await useUp('send-network-miss', '2001:db8:fff0:1::/64', 199)
  assert.equal((await send(who, 'NOBODY1', '2001:db8:fff0:1::1')).status, 404)
  const neighbour = await createProber()
  for (const to of ['NOBODY1', plate]) {
    const refused = await send(neighbour, to, '2001:db8:fff0:1::ffff')
    assertLimited(refused, /plate/)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > 22 * 3600 && wait <= 24 * 3600, String(wait))
  }
  // the /64 beside it is another one, until the /56 around both is full
  assert.equal((await send(who, 'NOBODY1', '2001:db8:fff0:2::1')).status, 404)
  await useUp('send-network-miss', '2001:db8:fff0:0::/56', 398)
  assert.equal((await send(who, 'NOBODY1', '2001:db8:fff0:3::1')).status, 429)
  // and the /56 beside that one, until the /48 is
  assert.equal((await send(who, 'NOBODY1', '2001:db8:fff0:100::1')).status, 404)
  await useUp('send-network-miss', '2001:db8:fff0:0::/48', 797)
  assert.equal((await send(who, 'NOBODY1', '2001:db8:fff0:200::1')).status, 429)
  assert.equal((await send(who, 'NOBODY1', newNetwork())).status, 404)
})

test('whoever has missed less than three plates can send from a network that others have used up', async () => {
  const ip = '2001:db8:fff2:1::1'
  await useUp('send-network-miss', '2001:db8:fff2:1::/64', 200)
  const honest = withLimits(await unlimitedApp.user())
  for (let i = 0; i < 3; i++) assert.equal((await send(honest, 'NOBODY1', ip)).status, 404)
  const refused = await send(honest, plate, ip)
  assertLimited(refused, /plate/)
  // the first of their own is a day old before the network's are
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 22 * 3600 && wait <= 24 * 3600, String(wait))
  const other = withLimits(await unlimitedApp.user())
  assert.equal((await send(other, plate, ip)).status, 201)
})

test('accounts in their first day share the messages of their network after five of their own, and older ones do not count', async () => {
  const network = '2001:db8:fff1:1::/64'
  const ip = '2001:db8:fff1:1::1'
  const plates = await Promise.all(Array.from({ length: 3 }, () => unlimitedApp.vehicle(owner)))
  const sendFive = async (who: Caller, from: string) => {
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plates[i % 3]!.plate, from)).status, 201)
  }
  const [old, young] = [withLimits(await unlimitedApp.user({ aged: true })), withLimits(await unlimitedApp.user())]
  for (const who of [old, young]) await sendFive(who, newNetwork())
  await useUp('send-network-first-day', network, 199)
  assert.equal((await send(old, plates[0]!.plate, ip)).status, 201)
  assert.equal((await send(young, plates[0]!.plate, ip)).status, 201)
  assert.equal((await send(young, plates[0]!.plate, ip)).status, 429)
  assert.equal((await send(old, plates[0]!.plate, ip)).status, 201)
  assert.equal((await send(young, plates[0]!.plate, newNetwork())).status, 201)
  // somebody who has just come
  const newcomer = withLimits(await unlimitedApp.user())
  await sendFive(newcomer, ip)
  assert.equal((await send(newcomer, plates[0]!.plate, ip)).status, 429)
})

test('the first day counts from the confirmation of the address', async () => {
  const young = await unlimitedApp.user()
  await unlimitedApp.db`update auth.users set created_at = now() - interval '5 days' where id = ${young.id}`
  const ip = '2001:db8:fff3:1::1'
  await useUp('send-network-first-day', '2001:db8:fff3:1::/64', 200)
  const plates = await Promise.all(Array.from({ length: 2 }, () => unlimitedApp.vehicle(owner)))
  for (let i = 0; i < 5; i++) assert.equal((await send(withLimits(young), plates[i % 2]!.plate, ip)).status, 201)
  assert.equal((await send(withLimits(young), plates[0]!.plate, ip)).status, 429)
})

test('no counter says who wrote to which vehicle', async () => {
  const sender = await unlimitedApp.user({ aged: true })
  const [one, other] = [await unlimitedApp.vehicle(owner), await unlimitedApp.vehicle(owner)]
  const before = new Set(
    (await unlimitedApp.db<{ key: string }[]>`select key from rate_counters`).map(({ key }) => key),
  )
  for (const vehicle of [one, other]) await send(withLimits(sender), vehicle.plate, newNetwork())
  const keys = (await unlimitedApp.db<{ key: string }[]>`select key from rate_counters`)
    .map(({ key }) => key)
    .filter((key) => !before.has(key))
  const pairs = keys.filter((key) => key.startsWith('pair:'))
  assert.equal(pairs.length, 2)
  for (const value of [sender.id, sender.email, one.id, other.id, one.plate])
    assert.ok(!keys.some((key) => key.includes(value)), value)
})
