import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { DAY_S } from '../time.ts'
import { SECURITY_TXT_EXPIRES } from './security-txt.ts'

const app = await testApp({ settings: { SUPPORT_EMAIL: 'help@platenote.test' } })
after(() => app.close())

test('security.txt has what RFC 9116 asks for: an address of this installation, a date and both languages', async () => {
  const { status, headers, text } = await app.visitor.get('/.well-known/security.txt')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.deepEqual(text.split('\n'), [
    'Contact: mailto:help@platenote.test?subject=Security',
    `Expires: ${SECURITY_TXT_EXPIRES}`,
    'Preferred-Languages: en, fr',
    'Canonical: http://platenote.test/.well-known/security.txt',
    '',
  ])
})

test('security.txt is valid for at least 30 days more and less than a year: renew SECURITY_TXT_EXPIRES', () => {
  const daysLeft = (Date.parse(SECURITY_TXT_EXPIRES) - Date.now()) / 1000 / DAY_S
  assert.ok(daysLeft > 30 && daysLeft < 366, `${daysLeft.toFixed(0)} days`)
})

test('SECURITY.md says the same', () => {
  const policy = readFileSync(join(import.meta.dirname, '../../../SECURITY.md'), 'utf8')
  assert.match(policy, new RegExp(SECURITY_TXT_EXPIRES.slice(0, 10)))
  assert.match(policy, /in English or French/)
  assert.match(policy, /\*Security\* in the subject/)
})
