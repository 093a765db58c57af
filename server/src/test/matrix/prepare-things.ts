import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { insertConfirmLink } from '../../auth/account-link-queries.ts'
import { replaceEmailChange } from '../../auth/email-change-queries.ts'
import { generateSecret, hashSecret } from '../../encryption/secrets.ts'
import { hashPerson } from '../../limits/canonical-address.ts'
import { applySanction } from '../../sanctions/apply-sanction.ts'
import { insertAppealToken } from '../../sanctions/queries.ts'
import { findOrCreateSubject } from '../../subjects/queries.ts'
import { accepted, type CapturedMail, type Person, type TestApp } from '../app.ts'
import { decodeClaims, encodeJwtPart } from '../jwt.ts'

/** Leaves an email to somebody that the mail server refused. Returns its id. */
export async function giveUpMail({ db }: TestApp, recipientId: string): Promise<string> {
  const id = randomUUID()
  await db`
    insert into outbox (id, kind, ref_id, recipient_id, failed_at, last_error)
    values (${id}, 'reply', ${randomUUID()}, ${recipientId}, now(), 'smtp_550')`
  return id
}

/**
 * Reads a message to the vehicle as a driver, with its image and its notification, and leaves the vehicle. Returns the ids
 * the driver knows.
 */
export async function readAndLeave(
  driver: Person,
  vehicleId: string,
  { message }: { message: string },
): Promise<{ notification: string; imageFile: string; driver: string }> {
  const read = await driver.get(`/api/messages/${message}`)
  assert.equal(read.status, 200, read.text)
  const image: string = read.body.image_url
  assert.equal((await driver.get(image)).status, 200)
  const { body: notices } = await driver.get('/api/notifications')
  const [notice] = notices.items.filter(({ data }: { data: { message_id?: string } }) => data.message_id === message)
  const { body: people } = await driver.get(`/api/vehicles/${vehicleId}/people`)
  const { id } = people.items.find(({ is_me }: { is_me: boolean }) => is_me)
  const left = await driver.delete(`/api/vehicles/${vehicleId}/people/${id}`)
  assert.equal(left.status, 204, left.text)
  return { notification: notice.id, imageFile: image.split('/').at(-1)!, driver: id }
}

/** Returns the person of an account, as admins know them. */
export const findSubjectOf = (app: TestApp, { email }: Person) =>
  findOrCreateSubject(app.db, hashPerson(app.context.keyring, email))

/** Requests a change of address, and returns the parts of the link in the email to the person's own mailbox. */
export async function plantEmailLink(app: TestApp, { id }: Person): Promise<string> {
  const [changeId, token] = [randomUUID(), generateSecret()]
  await replaceEmailChange(app.db, changeId, id, `${changeId}@example.com`)
  await insertConfirmLink(app.db, hashSecret(token), 'confirm_current', changeId)
  return token
}

const warn = async (app: TestApp, person: Person): Promise<string> => {
  const subjectId = await findSubjectOf(app, person)
  const reason = 'Once is enough'
  return app.db.begin((tx) => applySanction(tx, app.context, { subjectId, kind: 'warn', reason, actor: null }))
}

/** Warns somebody, and returns what the link in the email to them has. */
export async function warnWithToken(app: TestApp, person: Person): Promise<string> {
  const token = generateSecret()
  await insertAppealToken(app.db, hashSecret(token), await warn(app, person))
  return token
}

/** Warns somebody, who appeals it. Returns the id of what they wrote. */
export async function appealWarning(app: TestApp, person: Person): Promise<string> {
  await warn(app, person)
  return (await accepted(person.post('/api/appeals', { text: 'It was not me.' }))).id
}

/** The token by which an email about messages ends them. */
export const UNSUBSCRIBE = /\/unsubscribe\/([\w-]{43})/
/** The token of a link that leads to a session. */
export const LINK = /\/auth\/v1\/verify\?(?:\S*&)?token=([\w-]{43})/

/** Returns what the pattern captures in the first of the mails that has it. */
export function findIn(mails: CapturedMail[], pattern: RegExp): string {
  for (const { text, html } of mails) {
    const found = pattern.exec(text) ?? pattern.exec(html.replaceAll('&amp;', '&'))
    if (found) return found[1]!
  }
  throw new Error(`no mail has ${pattern.source}`)
}

/** Returns a token that claims to be an admin's, with the signature it had before. */
export function withForgedClaims(token: string): string {
  const [header, , signature] = token.split('.')
  const claims = { ...decodeClaims(token), is_admin: true, role: 'service_role', aal: 'aal2' }
  return `${header}.${encodeJwtPart(claims)}.${signature}`
}
