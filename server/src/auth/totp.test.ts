import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateTotpSecret, totpCode, totpStep, totpUri, verifyTotp } from './totp.ts'

/** '12345678901234567890' of RFC 6238, appendix B, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('codes are those of RFC 6238, cut to six digits', () => {
  const codes: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of codes) assert.equal(totpCode(RFC_SECRET, totpStep(seconds)), code)
})

test('a clock may be half a minute off, and a code is good once', () => {
  const now = 1_234_567_890
  const step = totpStep(now)
  for (const near of [step - 1, step, step + 1]) {
    assert.equal(verifyTotp(RFC_SECRET, totpCode(RFC_SECRET, near), now, null), near)
  }
  for (const far of [step - 2, step + 2])
    assert.equal(verifyTotp(RFC_SECRET, totpCode(RFC_SECRET, far), now, null), null)
  const code = totpCode(RFC_SECRET, step)
  assert.equal(verifyTotp(RFC_SECRET, code, now, step), null)
  assert.equal(verifyTotp(RFC_SECRET, totpCode(RFC_SECRET, step - 1), now, step), null)
  assert.equal(verifyTotp(RFC_SECRET, code, now, step - 1), step)
})

test('nothing but six digits is a code', () => {
  for (const code of ['', '00592', '0059244', '005 924', ' 005924', '００５９２４', 'abcdef']) {
    assert.equal(verifyTotp(RFC_SECRET, code, 1_234_567_890, null), null)
  }
})

test('secrets have 160 random bits, and the address names issuer and account', () => {
  const secret = generateTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(generateTotpSecret(), secret)
  assert.equal(
    totpUri(secret, 'Plate Note', 'a+b@example.com'),
    `otpauth://totp/Plate%20Note:a%2Bb%40example.com?secret=${secret}&issuer=Plate%20Note&algorithm=SHA1&digits=6&period=30`,
  )
})
