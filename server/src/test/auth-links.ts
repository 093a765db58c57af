import assert from 'node:assert/strict'
import type { Answer, CapturedMail, TestApp } from './app.ts'

/** The link of the auth protocol in a mail. */
export function extractAuthLink(mail: CapturedMail | undefined): URL {
  const [address] = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? '') ?? []
  assert.ok(address, 'the mail holds a link')
  return new URL(address)
}

/** What an opened link led to: where, and the fields of the fragment. */
export type LinkResult = { status: number; page: string; fragment: Record<string, string>; answer: Answer }

export function toLinkResult(answer: Answer): LinkResult {
  const location = answer.headers.get('location') ?? ''
  const [page = '', fragment = ''] = location.split('#')
  return { status: answer.status, page, fragment: Object.fromEntries(new URLSearchParams(fragment)), answer }
}

/** Opens a link as a browser or a scanner does, on the server under test. */
export const openLink = async (app: TestApp, link: URL): Promise<LinkResult> =>
  toLinkResult(await app.visitor.get(link.pathname + link.search))

/** The newest mail's link for an address, once `least` mails have come. */
export const waitForMailedLink = async (app: TestApp, email: string, least = 1): Promise<URL> =>
  extractAuthLink((await app.mails(email, least))[0])

/** Asserts the protocol's older error envelope, and what both have in common. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.error_code, code)
  assert.equal(answer.body.code, status)
  assert.equal(typeof answer.body.msg, 'string')
  assert.equal(answer.headers.get('x-sb-error-code'), code)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
}
