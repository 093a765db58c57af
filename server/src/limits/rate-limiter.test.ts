import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../log/logger.ts'
import { fieldsOf } from '../test/fields.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { HOUR_S, MINUTE_S } from '../time.ts'
import { canonicalAddress } from './canonical-address.ts'
import { ceilingCount, consumeCounts } from './enforce-limit.ts'
import { createFairQueue } from './fair-queue.ts'
import { clientNetwork, enclosingNetworks } from './network.ts'
import { consumeAll, readCount, resetLimit, scaleLimit } from './rate-limiter.ts'
import { createSlidingWindow } from './sliding-window.ts'

const { db } = await openTestDatabase(8)

test('a count of this process remembers no more callers than allowed: the oldest is evicted', () => {
  const take = createSlidingWindow(1, 60, 1_000)
  for (let caller = 0; caller < 1_500; caller++) take(String(caller), caller)
  assert.deepEqual(
    ['1499', '500', '0'].map((caller) => take(caller, 1_500).allowed),
    [false, false, true],
  )
})

test('an attempt counts in all of several counts, or in none of them', async () => {
  const [narrow, wide] = [
    { key: 'narrow', max: 2, windowS: MINUTE_S },
    { key: 'wide', max: 3, windowS: HOUR_S },
  ]
  const attempt = () => consumeAll(db, [narrow, wide])
  assert.equal((await attempt()).allowed, true)
  assert.equal((await attempt()).allowed, true)
  const refused = await attempt()
  assert.deepEqual([refused.allowed, refused.full], [false, ['narrow']])
  await resetLimit(db, 'narrow')
  assert.equal((await attempt()).allowed, true) // the refused one has taken nothing from the wide one
  const full = await attempt()
  assert.deepEqual([full.allowed, full.full], [false, ['wide']])
  assert.ok(full.retryAfterS > MINUTE_S)
  assert.equal(await readCount(db, narrow), 1)
})

test('a full limit of the whole installation raises an alarm in the log', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const count = { ...ceilingCount({ LIMIT_SCALE: 1 }, 'allContactMessages'), max: 1 }
  for (const allowed of [true, false]) assert.equal((await consumeCounts(db, log, [count])).allowed, allowed)
  assert.deepEqual(fieldsOf(lines, 'level', 'ceiling', 'msg'), [
    [50, 'allContactMessages', 'alarm: a limit of the whole installation is reached'],
  ])
})

test('a limit is scaled, but never below one', () => {
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 1 }), 10)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 2.55 }), 25)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 0.01 }), 1)
  assert.equal(scaleLimit(10, { LIMIT_SCALE: 1e12 }), 2 ** 31 - 1, 'the database can compare with it')
})

test('those who wait take turns by user, and a job that fails frees its place', async () => {
  const run = createFairQueue(1)
  const order: string[] = []
  const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) =>
    run(name[0]!, async () => {
      order.push(name)
      if (name === 'b1') throw new Error('broken')
    }),
  )
  await Promise.allSettled(jobs)
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'c2'])
})

const networks = (ip: string) => enclosingNetworks(ip).map(({ network }) => network)

test('a caller is an IPv4 address or an IPv6 /64', () => {
  assert.equal(clientNetwork('192.0.2.1'), '192.0.2.1')
  assert.equal(clientNetwork('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(clientNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(clientNetwork('2001:DB8:0001:2::9'), '2001:db8:1:2::/64')
  assert.equal(clientNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(clientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientNetwork('::1'), '0:0:0:0::/64')
  assert.equal(clientNetwork('64:ff9b:1:2:3:4:192.0.2.1'), '64:ff9b:1:2::/64')
})

test('the networks around it are counted too, each wider one with a larger limit', () => {
  assert.deepEqual(networks('192.0.2.1'), ['192.0.2.1', '192.0.2.0/24'])
  assert.deepEqual(networks('2001:db8:1:2ff::1'), ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1:0::/48'])
  assert.deepEqual(networks('2001:db8:1:1ff::1').slice(1), ['2001:db8:1:100::/56', '2001:db8:1:0::/48'])
  for (const ip of ['192.0.2.1', '2001:db8::1']) {
    const factors = enclosingNetworks(ip).map(({ factor }) => factor)
    assert.equal(factors[0], 1)
    assert.deepEqual(
      factors,
      [...new Set(factors)].sort((a, b) => a - b),
    )
  }
})

test('addresses of one mailbox are one person', () => {
  for (const address of ['alex.tremblay@gmail.com', 'AlexTremblay+plate@GMail.com', 'a.l.e.x.tremblay@googlemail.com'])
    assert.equal(canonicalAddress(address), 'alextremblay@gmail.com', address)
  assert.equal(canonicalAddress('Alex+1@Example.com'), 'alex@example.com')
  assert.equal(canonicalAddress('al.ex@pm.me'), 'alex@proton.me')
})

test('addresses of different mailboxes are not', () => {
  // most providers distinguish addresses by their dots
  assert.notEqual(canonicalAddress('al.ex@example.com'), canonicalAddress('alex@example.com'))
  assert.notEqual(canonicalAddress('alex@example.com'), canonicalAddress('alex@example.org'))
  // nothing would be left
  assert.notEqual(canonicalAddress('+1@example.com'), canonicalAddress('+2@example.com'))
})
