import assert from 'node:assert/strict'
import { type CapturedMail, newEmail, type Person, type TestApp } from './app.ts'

/** The tokens of the links in an email about a change of address, by what they do. */
export type EmailLinks = { confirm?: string; stop?: string; undo?: string }

export const mailLinks = (mail: CapturedMail | undefined): EmailLinks =>
  Object.fromEntries(
    [...(mail?.text ?? '').matchAll(/\/email-change#do=(\w+)&token=([\w-]+)/g)].map(([, action, token]) => [
      action,
      token,
    ]),
  )

/** Asks for a change of the address, and resolves with the links in the emails about it. */
export async function requestChange(app: TestApp, person: Person, email = newEmail()) {
  const earlier = (await app.mails(person.email, 0)).length
  const { status, text } = await person.post('/api/email-change', { email })
  assert.equal(status, 200, text)
  const [mail] = await app.mails(person.email, earlier + 1)
  const [fresh] = await app.mails(email)
  assert.ok(mail && fresh)
  return { email, current: { ...mailLinks(mail), mail }, fresh: mailLinks(fresh) }
}
