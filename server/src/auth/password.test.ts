import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import type { Refusal } from '../refusal.ts'
import { SEED_PASSWORD } from '../seed/events.ts'
import { isCommonPassword } from './common-passwords.ts'
import { AuthError } from './errors.ts'
import { checkNewPassword, createPasswordHasher } from './password.ts'
import { toAuthError } from './protocol/errors.ts'

test('a hash is argon2id with our parameters, matches only its password, and differs each time', async () => {
  const passwords = createPasswordHasher()
  const [one, two] = [await passwords.hash('Correct-horse-7'), await passwords.hash('Correct-horse-7')]
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.notEqual(one, two)
  assert.equal(await passwords.verify(one, 'Correct-horse-7'), true)
  assert.equal(await passwords.verify(one, 'Correct-horse-8'), false)
  assert.equal(await passwords.verify(null, 'Correct-horse-7'), false)
  assert.equal(await passwords.verify(undefined, ''), false)
  assert.equal(passwords.isOutdated(one), false)
  assert.equal(passwords.isOutdated(one.replace('t=2', 't=1')), true)
})

test('verifying takes the same work for an account that does not exist', async () => {
  const passwords = createPasswordHasher({ slots: 1 })
  const stored = await passwords.hash('Correct-horse-7')
  await passwords.verify(null, 'warm-up')
  const measureCpu = async (against: string | null) => {
    const before = process.cpuUsage()
    for (let i = 0; i < 10; i++) await passwords.verify(against, 'Wrong-horse-7')
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  const [known, unknown] = [await measureCpu(stored), await measureCpu(null)]
  assert.ok(unknown > known / 2, `${unknown} µs against ${known} µs`)
})

test('too many concurrent hashes are refused, and all others are computed', async () => {
  const passwords = createPasswordHasher({ slots: 1, maxQueued: 3 })
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => passwords.hash('Correct-horse-7')))
  const refused = outcomes.filter((o) => o.status === 'rejected').map((o) => o.reason as Refusal)
  assert.deepEqual(
    refused.map((error) => error.code),
    ['busy', 'busy', 'busy'],
  )
  const { code, status, details } = toAuthError(refused[0], {} as FastifyRequest)
  assert.deepEqual([code, status, details.retryAfterS], ['over_request_rate_limit', 429, 2])
  assert.equal(await passwords.verify(await passwords.hash('Correct-horse-7'), 'Correct-horse-7'), true)
})

test('common passwords are refused everywhere but in tests', () => {
  for (const NODE_ENV of ['development', 'production'] as const) {
    assert.throws(
      () => checkNewPassword('P@ssw0rd1!', { NODE_ENV }),
      (error) => error instanceof AuthError && error.details.reasons?.join() === 'pwned',
    )
    for (const password of ['Correct-horse-7', SEED_PASSWORD]) checkNewPassword(password, { NODE_ENV })
  }
  checkNewPassword('P@ssw0rd1!', { NODE_ENV: 'test' })
})

test('a password may have 512 bytes, all of which count', async () => {
  const [longest, other] = [`Aa1-${'é'.repeat(254)}`, `Aa1-${'é'.repeat(253)}è`]
  checkNewPassword(longest, { NODE_ENV: 'production' })
  assert.throws(() => checkNewPassword(`${longest}x`, { NODE_ENV: 'production' }), /longer than 512/)
  const passwords = createPasswordHasher()
  const stored = await passwords.hash(longest)
  assert.deepEqual([await passwords.verify(stored, longest), await passwords.verify(stored, other)], [true, false])
})

for (const common of [
  'Password1!',
  'P@ssw0rd',
  'Passw0rd!',
  'Summer2025!',
  'Été2025!!',
  'Qwerty123!',
  'Welcome#1',
  '!Admin123',
  'Montreal1!',
  'MotDePasse1!',
  'HelloHello1!',
  'Aa123456!',
  '1qaz@WSX',
  '!QAZ2wsx',
  'ZAQ!xsw2',
  'Pass@123',
  'Abc123!@#',
  'Liverpool1!',
  'Login123!',
]) {
  test(`${common} is common`, () => assert.equal(isCommonPassword(common), true))
}

for (const fine of [
  'Correct-horse-7',
  'My password is 7 long!',
  'Парольстрой-7',
  'tr0ub4dor&3X',
  'Kx9#mQ2$vL',
  'Summerfield-Road-12',
  'Attackers-own-1',
  ' Résumé-7 ',
]) {
  test(`${fine} is not common`, () => assert.equal(isCommonPassword(fine), false))
}
