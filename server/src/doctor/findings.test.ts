import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeExpiry } from './check-certificate.ts'
import { judgeClock, judgeDisk } from './check-machine.ts'
import { createSecretFilter } from './read-settings.ts'

// The limits of what the doctor finds; what it finds in an installation is tested in cli/doctor.test.ts.

test('how far a clock may be away, how full a disk may be, and how long a certificate must be valid', () => {
  assert.deepEqual(
    [2_000, 2_001, 30_000, 30_001].map((ms) => judgeClock(ms).level),
    ['ok', 'warn', 'warn', 'FAIL'],
  )
  assert.deepEqual(
    [100, 99, 20, 19].map((free) => judgeDisk(free, 1_000).level),
    ['ok', 'warn', 'warn', 'FAIL'],
  )
  assert.deepEqual(
    [14, 13].map((days) => judgeExpiry('platenote.ca', days * 86_400_000).level),
    ['ok', 'warn'],
  )
})

test('secrets of settings are taken out of whatever is said', () => {
  const hide = createSecretFilter({
    MASTER_KEYS_OLD: 'one-old-key, another-old-key',
    SMTP_URL: 'smtp://token-as-user:p%40ssword@mail.test',
    DATABASE_URL: 'postgres://platenote:hidden%2Fone@db.test/platenote',
    PUBLIC_URL: 'https://platenote.test',
    VAPID_PUBLIC_KEY: 'public-key',
  })
  assert.equal(
    hide(
      'one-old-key another-old-key token-as-user p@ssword p%40ssword hidden/one platenote https://platenote.test public-key',
    ),
    '••• ••• ••• ••• ••• ••• platenote https://platenote.test public-key',
  )
})
