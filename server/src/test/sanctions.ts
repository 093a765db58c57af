import assert from 'node:assert/strict'
import { accepted, type CapturedMail, type Person, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

// Helpers of tests about sanctions: the person behind an account, as admins know them, and the emails they get.

/** Returns the id under which admins know the person of an account. */
export async function personOf(admin: Person, { id }: { id: string }): Promise<string> {
  return (await accepted(admin.get(`/api/admin/users/${id}`))).person_id
}

/** Suspends the person of an account, and returns their id. */
export async function suspend(
  admin: Person,
  account: { id: string },
  input: { reason: string; days?: number } = { reason: 'You threatened somebody.' },
): Promise<string> {
  const id = await personOf(admin, account)
  await accepted(admin.post(`/api/admin/people/${id}/suspend`, input))
  return id
}

/** Returns the status of a success, or status and code of a refusal. */
export const outcome = async (response: Promise<{ status: number; body: { code?: string } | undefined }>) => {
  const { status, body } = await response
  return status < 300 ? status : [status, body?.code]
}

/** Waits for an email to an address whose subject has these words. */
export const mailAbout = (app: TestApp, to: string, words: RegExp): Promise<CapturedMail> =>
  eventually(async () => (await app.mails(to)).find(({ subject }) => words.test(subject)))

/** Returns the token of the link to appeal in an email. */
export function appealTokenOf({ text }: CapturedMail): string {
  const [, token] = /\/appeal#token=([\w-]+)/.exec(text) ?? []
  assert.ok(token, text)
  return token
}
