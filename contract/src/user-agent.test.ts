import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseUserAgent } from './user-agent.ts'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'

const devices: [name: string, userAgent: string][] = [
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/143.0.0.0 Safari/537.36`],
  [
    'Edge on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
  ],
  [
    'Samsung Internet on Android',
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on iPhone', `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ['Chrome on iPhone', `${IPHONE} CriOS/143.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${KHTML} Chrome/143.0.0.0 Safari/537.36`],
  ['Safari on iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Safari on macOS', `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
]

for (const [name, userAgent] of devices) {
  test(`${name} is recognized by its User-Agent`, () => {
    const { browser, system } = parseUserAgent(userAgent)
    assert.equal(`${browser} on ${system}`, name)
  })
}

test('an in-app browser has no browser name, only a system', () => {
  assert.deepEqual(parseUserAgent(`${IPHONE} Mobile/15E148`), { system: 'iPhone' })
})

test('an unknown or missing User-Agent yields nothing', () => {
  for (const userAgent of [null, '', 'node', 'curl/8.14.1', '<script>alert(1)</script>', 'a'.repeat(100_000)]) {
    assert.deepEqual(parseUserAgent(userAgent), {})
  }
})
