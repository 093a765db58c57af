import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { SEED_PASSWORD } from '../seed/fill-database.ts'
import { checkNewPassword, createPasswordHasher, findWeaknesses, isCommonPassword } from './password.ts'
import { toAuthError } from './protocol/errors.ts'

test('too many concurrent hashes are refused, all others are computed, and known networks have slots of their own', async () => {
  const passwords = createPasswordHasher({ slots: 1, maxQueued: 4 })
  const hash = await passwords.hash('Correct-horse-7')
  const order: string[] = []
  const check = (who: string, isReserved: boolean) =>
    passwords.verify(hash, 'Correct-horse-7', isReserved).then((isRight) => order.push(`${who} ${isRight}`))
  // one is running and four wait: there is no slot for another unknown network
  const flood = Array.from({ length: 5 }, (_, i) => check(`stranger ${i}`, false))
  const refused = await check('late stranger', false).catch((error: unknown) => error)
  const { code, status, details } = toAuthError(refused, {} as FastifyRequest)
  assert.deepEqual([code, status, details.retryAfterS], ['over_request_rate_limit', 429, 2])
  await Promise.all([...flood, check('known', true)])
  assert.deepEqual(order.slice(0, 2), ['stranger 0 true', 'known true'])
  assert.equal(order.length, 6)
})

test('a password may have 512 bytes, counted as it is stored, all of which matter', async () => {
  const [longest, other] = [`Aa1-${'é'.repeat(254)}`, `Aa1-${'é'.repeat(253)}è`]
  const passwords = createPasswordHasher()
  const stored = await passwords.hash(longest)
  assert.deepEqual([await passwords.verify(stored, longest), await passwords.verify(stored, other)], [true, false])
  checkNewPassword(longest.normalize('NFD'))
  assert.throws(() => checkNewPassword(`${longest}x`), /longer than 512/)
})

test('an accent is part of its letter however it is written: neither a symbol nor a character', () => {
  for (const [password, reason] of [
    ['Forêt-7', 'length'],
    ['Forêtnoire7', 'characters'],
  ] as const) {
    for (const form of ['NFC', 'NFD']) assert.deepEqual(findWeaknesses(password.normalize(form)), [reason])
  }
})

test('common are listed passwords, keyboard walks and words, whatever surrounds them; a sentence with such a word is not', () => {
  // an accent, a symbol before, a word of the country, one twice, one that leaked with its digits, walks with and without Shift
  const common = 'P@ssw0rd1! Summer2025! Été2025!! !Admin123 Montreal1! HelloHello1! Aa123456! 1qaz@WSX !QAZ2wsx'.split(
    ' ',
  )
  const fine = [
    SEED_PASSWORD,
    'Correct-horse-7',
    'My password is 7 long!',
    'Парольстрой-7',
    'tr0ub4dor&3X',
    'Summerfield-Road-12',
  ]
  for (const password of [...common, ...fine]) {
    assert.equal(isCommonPassword(password), common.includes(password), password)
  }
})
