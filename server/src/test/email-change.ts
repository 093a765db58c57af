import assert from 'node:assert/strict'
import { accepted, type CapturedMail, newEmail, type Person, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

/** The tokens of the links in an email about a change of address, by what they do. */
type EmailLinks = { confirm?: string; undo?: string }

export const mailLinks = (mail: CapturedMail | undefined): EmailLinks =>
  Object.fromEntries(
    [...(mail?.text ?? '').matchAll(/\/account-link#do=(\w+)&token=([\w-]+)/g)].map(([, action, token]) => [
      action,
      token,
    ]),
  )

/** Asks for a change of the address, and resolves with the links in the emails about it. */
export async function requestChange(app: TestApp, person: Person, email = newEmail()) {
  const known = (await app.mails(person.email, 0)).map((one) => mailLinks(one).confirm).find((token) => token)
  await accepted(person.post('/api/email-change', { email }))
  const [fresh] = await app.mails(email)
  assert.ok(fresh)
  // other emails to the present address may arrive before it, or after
  const mail = await eventually(async () => {
    const newest = (await app.mails(person.email, 0)).find((one) => mailLinks(one).confirm)
    return newest && mailLinks(newest).confirm !== known ? newest : undefined
  })
  return { email, current: { ...mailLinks(mail), mail }, fresh: mailLinks(fresh) }
}

/** What a link in an email about an account answers once it is over, or when it never was one. */
export const DEAD_LINK = [404, 'email_link_invalid']

/** Does what the button behind such a link does. Resolves with the state of things then, or with status and code of the refusal. */
export async function openAccountLink(app: TestApp, action: string, token: string | undefined) {
  const { status, body } = await app.visitor.post('/api/account-links', { action, token })
  return status === 200 ? body.state : [status, body.code]
}
