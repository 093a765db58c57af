import assert from 'node:assert/strict'
import type { CapturedMail, TestApp, TestResponse } from './app.ts'

/** Returns the link of the auth protocol in an email. */
export function extractAuthLink(mail: Pick<CapturedMail, 'text'> | undefined): URL {
  const [address] = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? '') ?? []
  assert.ok(address, 'the email has a link')
  return new URL(address)
}

/** The result of opening a link: the page it led to, and the fields of the fragment. */
export type LinkResult = { status: number; page: string; fragment: Record<string, string>; response: TestResponse }

/** Extracts from the redirect after a link was opened what an auth client reads there. */
export function toLinkResult(response: TestResponse): LinkResult {
  const location = response.headers.get('location') ?? ''
  const [page = '', fragment = ''] = location.split('#')
  return { status: response.status, page, fragment: Object.fromEntries(new URLSearchParams(fragment)), response }
}

/** Opens a link on the server under test, as a browser or a link scanner does. */
export const openLink = async (app: TestApp, link: URL): Promise<LinkResult> =>
  toLinkResult(await app.visitor.get(link.pathname + link.search))

/** Uses a link as an app does, which posts its token: the account is then confirmed, with the password of its sign-up. */
export const postLink = (app: TestApp, link: URL): Promise<TestResponse> =>
  app.visitor.post('/auth/v1/verify', {
    type: link.searchParams.get('type'),
    token_hash: link.searchParams.get('token'),
  })

/** Resolves with the link in the newest email to an address, once there are `minCount` emails. */
export const waitForMailedLink = async (app: TestApp, email: string, minCount = 1): Promise<URL> =>
  extractAuthLink((await app.mails(email, minCount))[0])

/** Returns the code at the start of the subject of an email. */
export function extractCode(mail: Pick<CapturedMail, 'subject'> | undefined): string {
  const [code] = /^\d{6}(?= )/.exec(mail?.subject ?? '') ?? []
  return code ?? assert.fail('the subject begins with a code')
}

/** Resolves with the code in the newest email to an address, once there are `minCount` emails. */
export const waitForMailedCode = async (app: TestApp, email: string, minCount = 1): Promise<string> =>
  extractCode((await app.mails(email, minCount))[0])

/** Returns six digits that are not a code. */
export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Asserts the protocol's older error envelope, and what it has in common with the newer one. */
export function assertRefused(response: TestResponse, status: number, code: string): void {
  assert.equal(response.status, status, response.text)
  assert.equal(response.body.error_code, code)
  assert.equal(response.body.code, status)
  assert.equal(typeof response.body.msg, 'string')
  assert.equal(response.headers.get('x-sb-error-code'), code)
  assert.equal(response.headers.get('cache-control'), 'no-store')
}
