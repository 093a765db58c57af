import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from './canonical-address.ts'
import { clientNetwork, enclosingNetworks } from './network.ts'

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
