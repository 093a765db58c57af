import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from './canonical-address.ts'

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
