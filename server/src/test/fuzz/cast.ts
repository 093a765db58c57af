import assert from 'node:assert/strict'
import { grantAdmin } from '../../auth/admin-role.ts'
import { PASSWORD, type Person, SERVICE_ROLE_KEY, type TestApp } from '../app.ts'
import { reportedMessage } from '../cases.ts'
import { registerPlate } from '../disputes.ts'
import { suspendAndSignIn } from '../sanctions.ts'
import { PIXEL, uploadDocument, uploadImage } from '../upload.ts'

export const SERVICE_KEY = 'a-service-key-of-more-than-32-characters'
export const INBOUND_MAIL_SECRET = 'an-inbound-mail-secret-of-more-than-32-characters'

/** Who sends a request: the bearer token of each, undefined without one. */
export type Cast = {
  tokens: Record<string, string | undefined>
  /** Every id there is, by its table. */
  ids: Record<string, string[]>
  /** What else means something to the server, by the part of a field's name that asks for it. */
  words: Record<string, string[]>
}

/** Signs up one of everybody, and gives them vehicles, messages, notifications, images, a dispute and emails with links. */
export async function createCast(app: TestApp): Promise<Cast> {
  const [user, owner, sender, challenger, unverified, suspended, admin] = (await Promise.all(
    Array.from({ length: 7 }, () => app.user()),
  )) as [Person, Person, Person, Person, Person, Person, Person]
  assert.ok(await grantAdmin(app.db, admin.email))
  const plates = await Promise.all([owner, sender, admin].map(async (who) => (await app.vehicle(who)).plate))
  const contested = await app.vehicle(owner)
  assert.equal((await registerPlate(challenger, contested.plate)).status, 200)
  const { id: sharedId } = (await owner.get('/api/vehicles')).body.items.at(-1)
  const codes: string[] = []
  for (let i = 0; i < 2; i++) codes.push((await owner.post(`/api/vehicles/${sharedId}/invitations`)).body.code)
  assert.equal((await challenger.post('/api/invitations/accept', { code: codes[0] })).status, 200)
  const note = { plate: 'FUZZED1', content: 'Your lights are on' }
  const { code } = (await sender.post('/api/notes', note)).body
  const form = { type: 'contact', name: 'Sam', email: 'sam@example.com', subject: 'partnership', message: 'Hello' }
  assert.equal((await app.visitor.post('/send-email', form)).status, 200)
  assert.equal((await uploadDocument(owner, contested.id, PIXEL)).status, 201)
  await reportedMessage(app, { sender, owner })
  const [tagged] = (await owner.get('/api/vehicles')).body.items.slice(-1)
  const { body: tag } = await owner.post(`/api/vehicles/${tagged.id}/tag`)
  const plateEnd = tagged.plate.slice(-3)
  const left = await app.visitor.post(`/api/tags/${tag.token}/messages`, { plate_end: plateEnd, reason: 'alarm' })
  assert.equal(left.status, 201)
  const files: string[] = []
  for (const who of [user, sender]) {
    const { body } = await uploadImage(who, PIXEL, { name: 'photo.png', type: 'image/png' })
    files.push(String(body.url).split('/').at(-1)!)
    for (const plate of plates)
      await who.post('/api/messages', { plate, content: 'Your lights are on', attachment_id: body.id })
    await app.visitor.post('/auth/v1/recover', { email: who.email })
  }
  const collisions = [
    { kind: 'hit', province: 'Quebec', particulars: { name: 'Kim', phone: '1' }, not_anonymous: true },
    { kind: 'saw', witness: true },
  ]
  for (const collision of collisions) {
    const message = { plate: plates[0], content: 'About your bumper', reason: 'accident', collision }
    assert.equal((await sender.post('/api/messages', message)).status, 201)
  }
  // once everything has arrived
  const [received] = (await owner.get('/api/messages')).body.items
  assert.equal((await owner.post(`/api/messages/${received.id}/block`)).status, 204)
  await app.db`update auth.users set email_confirmed_at = null where id = ${unverified.id}`
  const people = {
    user,
    owner,
    sender,
    challenger,
    unverified,
    suspended: await suspendAndSignIn(app, admin, suspended),
    admin,
  }
  const links = await app.mails(user.email)
  const linkTokens = links.flatMap(({ text }) => [...text.matchAll(/[\w-]{43}/g)].map(([token]) => token))
  return {
    tokens: {
      visitor: undefined,
      'somebody with a forged token': `${user.token.slice(0, -4)}AAAA`,
      'somebody with no token at all': 'x',
      ...Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])),
      'other software': SERVICE_KEY,
      'the service role': SERVICE_ROLE_KEY,
      'the mail server': INBOUND_MAIL_SECRET,
    },
    ids: await listIds(app),
    words: {
      email: Object.values(people).map(({ email }) => email),
      password: [PASSWORD, 'Another-horse-8'],
      refresh: Object.values(people).map(({ refreshToken }) => refreshToken),
      token: [...linkTokens, tag.token, tag.digits],
      plate_end: [plateEnd],
      receipt: [left.body.receipt],
      plate: [...plates, contested.plate, note.plate],
      file: files,
      province: ['Ontario'],
      make: ['Honda'],
      model: ['Civic'],
      key: [SERVICE_KEY],
      code: [...codes, code],
    },
  }
}

/** Returns the ids of every table: one that is added is fuzzed by itself. */
async function listIds(app: TestApp): Promise<Record<string, string[]>> {
  const tables = await app.db<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.columns
    where column_name = 'id' and data_type = 'uuid' and table_schema in ('public', 'auth')`
  const entries = await Promise.all(
    tables.map(async ({ name }): Promise<[string, string[]]> => {
      const rows = await app.db.unsafe<{ id: string }[]>(`select id::text from ${name} order by id desc limit 20`)
      return [name, rows.map(({ id }) => id)]
    }),
  )
  return Object.fromEntries(entries)
}
