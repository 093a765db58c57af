import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Pool } from '../db/pool.ts'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { createCaller, PASSWORD, type TestResponse } from '../test/app.ts'
import { openTestPool } from '../test/database.ts'
import { eventually } from '../test/eventually.ts'
import { startFakePushService } from '../test/fake-push-service.ts'
import { fieldsOf } from '../test/fields.ts'
import { collectHaystacks, encodingsOf, encodingsOfText, findNeedles } from '../test/find-in-clear.ts'
import { findFreePort } from '../test/free-port.ts'
import { decodeClaims } from '../test/jwt.ts'
import { runCommand, type ServerProcess, startProduct } from '../test/product.ts'
import { type SmtpInbox, startSmtpInbox } from '../test/smtp-inbox.ts'
import { fileForm, pdfWith } from '../test/upload.ts'
import { columnName, ENCRYPTED_COLUMNS } from './encrypted-columns.ts'

// Runs the product, has people write into every encrypted column, and searches everything it leaves behind for what they wrote and
// photographed; a first test shows that the search finds texts in clear. Then the master key changes, and is lost.

const TEAM = 'support@platenote.ca'
const PORT = await findFreePort()
const URL = `http://127.0.0.1:${PORT}`
const TEXTS = {
  message: 'Zebra-crossing-7fQ3 your headlights are on',
  reply: 'Marmalade-8kT1 thank you, on my way',
  'note to the moderators': 'Hollyhock-3sN6 this person waits beside my car',
  'reject reason': 'Periwinkle-2vX9 the papers name another plate',
  'contact message': 'Tangerine-4wB6 the page is blank',
  'name of a visitor': 'Quicksilver-9dL2 Roy',
  'address of a visitor': 'kingfisher-5hN8@example-visitor-3cJ7.test',
  'reason of a suspension': 'Cormorant-7yB3 two threats in one day',
  appeal: 'Foxglove-2zK8 that was my brother',
  'answer to an appeal': 'Dunlin-4hQ1 both were yours',
  'purpose of a case': 'Wintergreen-5cL8 somebody is afraid',
  'reason of a decision': 'Goldeneye-9tF2 there is nothing in it',
  'reason of a lifting': 'Nuthatch-6wP4 the neighbours agree now',
}

/** In a card of particulars, and in what a witness gave. Neither is in any email. */
const PARTICULARS = { name: 'Bittern-4vC9', phone: '416-555-0177', address: 'Sandpiper-8mW3', insurer: 'Whimbrel-1qT5' }
const WITNESS = { name: 'Lapwing-6jX2', phone: '416-555-0188' }

/** In a document of a dispute, and in the name of its file. Unlike the others, in no email either. */
const DOCUMENT_TEXT = 'Ptarmigan-3hR7'
const DOCUMENT_NAME = 'Wolverine-6yC2'

/** A note on a windshield, and the plate it is for: in no email, in no list, and its plate nowhere at all. */
const NOTE = { plate: 'GLDFNCH5', content: 'Sanderling-5tB9 your window is open' }

let dataDir: string
let inbox: SmtpInbox
/** Whether the team's mail server is away, so that messages of the contact page wait. */
let isTeamAway = false
const pushService = await startFakePushService()
const products: ServerProcess[] = []
/** Everything the product has written to its log, over all of its starts. */
const readLog = () => products.map((product) => product.err()).join('')
let db: Pool
let keys: Record<string, string> = {}

const env = () => ({
  DATA_DIR: dataDir,
  PORT: String(PORT),
  SMTP_URL: inbox.url,
  PUSH_HOSTS: pushService.origin,
  AUTH_AUTOCONFIRM: 'true',
  LOG_LEVEL: 'trace',
  ...keys,
})

async function start() {
  products.push(await startProduct(env()))
  db = openTestPool((await findRunningEmbedded(join(dataDir, 'postgres')))!, 2)
}

async function stop() {
  await db?.end()
  await products.at(-1)?.stop()
}

before(async () => {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../../scripts/build.mjs')])
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'platenote-at-rest-')))
  chmodSync(dataDir, 0o755) // as root PostgreSQL runs under another account and must pass
  inbox = await startSmtpInbox({ recipient: (to) => (isTeamAway && to === TEAM ? 451 : undefined) })
  await start()
})
after(async () => {
  await stop()
  await inbox?.close()
  await pushService.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Returns calls to the product, which must be no refusals, and return the parsed JSON, or the text of a page. */
function createSuccessfulCaller(token = '') {
  const caller = createCaller(URL, token)
  const contentOf = ({ status, body, text }: TestResponse, path: string) => {
    assert.ok(status < 300, `${path} answered ${status} ${text}`)
    return body ?? text
  }
  return {
    token,
    get: async (path: string) => contentOf(await caller.get(path), path),
    post: async (path: string, body?: unknown, headers = {}) => contentOf(await caller.post(path, body, headers), path),
  }
}

const visitor = createSuccessfulCaller()

const signUp = async (email: string) => {
  const { access_token } = await visitor.post('/auth/v1/signup', {
    email,
    password: PASSWORD,
    data: { full_name: 'Sam Roy' },
  })
  return createSuccessfulCaller(access_token)
}

/** Runs a command while the server is running. Returns what it printed. */
async function run(command: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await runCommand(command, args, env())
  assert.equal(code, 0, out + err)
  return out
}

test('nothing users write or photograph is stored in clear: not in the database, its files and log, the images, or the logs', async (t) => {
  const [ownerMail, senderMail, adminMail] = ['owner@example.com', 'sender@example.com', 'admin@example.com']
  const [owner, sender, admin] = [await signUp(ownerMail), await signUp(senderMail), await signUp(adminMail)]
  await run('admin', 'grant', adminMail)
  const car = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }
  await owner.post('/register-plate', { ...car, plate: 'ATREST' })
  const other = await owner.post('/register-plate', { ...car, plate: 'REJECT' })

  const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, noise, background: '#000' } })
      .jpeg()
      .toBuffer()
  const photo = await draw(400, 300)
  const image = await sender.post('/api/attachments', fileForm(photo))
  const first = { plate: 'ATREST', content: TEXTS.message, attachment_id: image.id }
  const key = { 'idempotency-key': randomUUID() }
  const { id } = await sender.post('/api/messages', first, key)
  // by the link of the email, which is opened first
  const [, answerToken = ''] =
    /\/answer#token=([\w-]{43})/.exec((await inbox.to(ownerMail))[0]!.parsed.text ?? '') ?? []
  await visitor.post('/answer', new URLSearchParams({ token: answerToken }))
  await visitor.post('/answer', new URLSearchParams({ token: answerToken, reply: TEXTS.reply, action: 'send' }))
  const [link] = await db<{ token_hash: Buffer }[]>`select token_hash from answer_links where message_id = ${id}`
  const note = TEXTS['note to the moderators']
  await owner.post(`/api/messages/${id}/report`, { reason: 'threat', note })
  await sender.post(`/api/messages/${id}/report`, { reason: 'harassment' })
  const [{ id: caseId }] = (await admin.get('/api/admin/inbox?kind=report')).items
  const opened = await admin.post(`/api/admin/reports/${caseId}/open`, { purpose: TEXTS['purpose of a case'] })
  assert.equal(opened.evidence.content, TEXTS.message)
  await admin.post(`/api/admin/reports/${caseId}/decide`, {
    action: 'dismiss',
    reason: TEXTS['reason of a decision'],
  })
  await admin.post(`/api/admin/vehicles/${other.vehicle.id}/reject`, { reason: TEXTS['reject reason'] })

  const contact = (message: string) =>
    visitor.post('/send-email', {
      type: 'contact',
      name: TEXTS['name of a visitor'],
      email: TEXTS['address of a visitor'],
      subject: 'technical-support',
      message,
    })
  await contact(TEXTS['contact message'])

  // the documents of a dispute: a scan with a text in it, and a photo
  const disputed = await sender.post('/register-plate', { ...car, plate: 'ATREST' })
  const documentsPath = `/api/vehicles/${disputed.vehicle.id}/documents`
  const scan = pdfWith(DOCUMENT_TEXT)
  const licence = await draw(300, 200)
  const sent: { id: string }[] = []
  for (const [bytes, type, name] of [
    [scan, 'application/pdf', `${DOCUMENT_NAME}.pdf`],
    [licence, 'image/jpeg', `${DOCUMENT_NAME}.jpg`],
  ] as const)
    sent.push(await sender.post(documentsPath, fileForm(bytes, { type, name })))
  const openDocument = async ({ id }: { id: string }) => {
    const headers = { authorization: `Bearer ${admin.token}` }
    const response = await fetch(`${URL}/api/admin/documents/${id}/open`, { method: 'POST', headers })
    assert.equal(response.status, 200)
    return Buffer.from(await response.arrayBuffer())
  }
  const [openedScan, openedLicence] = [await openDocument(sent[0]!), await openDocument(sent[1]!)]
  assert.ok(openedScan.equals(scan))
  const suspendedMail = 'suspended@example.com'
  const suspended = await signUp(suspendedMail)
  const { sub: suspendedId } = decodeClaims(suspended.token)
  const { person_id } = await admin.get(`/api/admin/users/${suspendedId}`)
  const reason = TEXTS['reason of a suspension']
  await admin.post(`/api/admin/people/${person_id}/suspend`, { reason })
  const [, token] = /\/appeal#token=([\w-]+)/.exec((await inbox.to(suspendedMail))[0]!.parsed.text ?? '') ?? []
  await visitor.post('/api/appeals', { token, text: TEXTS.appeal })
  const [{ id: appeal }] = (await admin.get('/api/admin/inbox?kind=appeal')).items
  assert.equal((await admin.post(`/api/admin/appeals/${appeal}/open`, {})).text, TEXTS.appeal)
  await admin.post(`/api/admin/appeals/${appeal}/decide`, {
    uphold: true,
    reason: TEXTS['answer to an appeal'],
  })

  await admin.post(`/api/admin/people/${person_id}/lift`, { reason: TEXTS['reason of a lifting'] })

  const damagePhoto = await sender.post('/api/attachments', fileForm(licence))
  await sender.post('/api/attachments', fileForm(licence)) // and sends it to nobody
  await owner.post('/register-plate', { ...car, plate: 'HITCAR' })
  const about = { plate: 'HITCAR', content: 'About your bumper', reason: 'accident' }
  const hit = await sender.post('/api/messages', {
    ...about,
    collision: {
      kind: 'hit',
      province: 'Ontario',
      particulars: PARTICULARS,
      photos: [damagePhoto.id],
      not_anonymous: true,
    },
  })
  const saw = await sender.post('/api/messages', { ...about, collision: { kind: 'saw', witness: true } })
  await owner.post(`/api/messages/${saw.id}/witness/ask`)
  await sender.post(`/api/messages/${saw.id}/witness/answer`, { release: true, contact: WITNESS })
  const card = await owner.get(`/api/messages/${hit.id}/collision`)
  assert.equal(card.particulars.name, PARTICULARS.name)
  const damageShown = Buffer.from(card.photos[0].split(',')[1], 'base64')
  assert.deepEqual((await owner.get(`/api/messages/${saw.id}`)).collision.contact, WITNESS)

  const { code } = await sender.post('/api/notes', NOTE)
  const noteKey = new URLSearchParams({ code, plate: NOTE.plate })
  assert.ok((await visitor.post('/n', noteKey)).includes(NOTE.content))
  const { items: vehicles } = await owner.get('/api/vehicles')
  const hitVehicle = vehicles.find(({ plate }: { plate: string }) => plate === 'HITCAR')
  const tag = await owner.post(`/api/vehicles/${hitVehicle.id}/tag`)
  const left = await visitor.post(`/t/${tag.token}`, new URLSearchParams({ plate_end: 'CAR', reason: 'alarm' }))
  const receipt = /name="receipt"[^>]* value="([\w-]{43})"/.exec(left)![1]!
  const { endpoint, keys: deviceKeys } = pushService.browser()
  await visitor.post(`/api/receipts/${receipt}/push`, { endpoint, keys: deviceKeys })

  // a first second step takes a code of the last quarter of an hour
  await visitor.post('/auth/v1/otp', { email: senderMail })
  const emailedCode = await eventually(async () =>
    inbox.received
      .map(({ to, parsed }) => (to === senderMail ? /^\d{6}(?= )/.exec(parsed.subject ?? '')?.[0] : undefined))
      .find(Boolean),
  )
  const { access_token } = await visitor.post('/auth/v1/verify', {
    type: 'email',
    email: senderMail,
    token: emailedCode,
  })
  await createSuccessfulCaller(access_token).post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Phone' })

  // users can read all of it, in the product and in their emails
  const message = await owner.get(`/api/messages/${id}`)
  assert.deepEqual([message.content, message.reply], [TEXTS.message, TEXTS.reply])
  const stored = Buffer.from(await (await fetch(URL + image.url)).arrayBuffer())
  assert.equal((await sharp(stored).metadata()).width, 400)
  const log = await admin.get('/api/admin/audit-log')
  assert.ok(log.items.some(({ reason }: { reason: string }) => reason === TEXTS['purpose of a case']))
  const mails = (
    await Promise.all([inbox.to(ownerMail, 2), inbox.to(senderMail), inbox.to(TEAM), inbox.to(suspendedMail, 3)])
  ).flat()
  const unmailed = [TEXTS.appeal, note, TEXTS['purpose of a case'], TEXTS['reason of a decision']]
  for (const text of Object.values(TEXTS))
    assert.equal(
      mails.some(({ parsed }) => parsed.text?.includes(text)),
      !unmailed.includes(text),
      text,
    )
  isTeamAway = true
  await contact(`${TEXTS['contact message']} still`)
  const exported = await owner.get('/api/export')
  assert.equal(exported.reports[0].note, note)

  const pieces = (name: string, bytes: Buffer) =>
    [0.3, 0.5, 0.8].flatMap((part) => {
      const start = Math.floor(bytes.length * part)
      return encodingsOf(name, bytes.subarray(start, start + 24), false)
    })
  const needles = [
    ...Object.entries(TEXTS).flatMap(([name, text]) => encodingsOfText(`the ${name}`, text)),
    ...Object.entries({ ...PARTICULARS, witness: WITNESS.name, 'witness phone': WITNESS.phone }).flatMap(
      ([name, text]) => encodingsOfText(`the card's ${name}`, text),
    ),
    ...encodingsOfText('the note', NOTE.content),
    ...encodingsOfText('the plate of the note', NOTE.plate),
    ...encodingsOf('the code of the note', Buffer.from(code), true),
    ...encodingsOfText('the digits of the code', code.replaceAll(' ', '')),
    ...encodingsOfText('the token of a tag', tag.token),
    ...encodingsOfText('the secret of an answer link', answerToken),
    ...encodingsOfText('the receipt of a guest', receipt),
    ...pieces('the photo of the card', damageShown),
    ...encodingsOfText('the document', DOCUMENT_TEXT),
    ...encodingsOfText('the name of the document', DOCUMENT_NAME),
    ...pieces('the scan', scan),
    ...pieces('the licence', licence),
    ...pieces('the stored licence', openedLicence),
    ...pieces('the photo', photo),
    ...pieces('the stored image', stored),
    ...encodingsOf('the master key', Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8'), 'base64'), false),
  ]

  await t.test('the search finds plain text in every encoding and location', async () => {
    const plain = 'Control-5pW8'
    const forms = encodingsOfText('a control text', plain)
    await db`create table control (form text, bytes bytea)`
    for (const { what, bytes } of forms) await db`insert into control values (${what}, ${bytes})`
    writeFileSync(join(dataDir, 'attachments', 'control.webp'), plain)
    await fetch(`${URL}/${plain}`) // the path of a page that is not there is logged
    await eventually(async () => readLog().includes(plain) || undefined)
    const stacks = await collectHaystacks(db, dataDir, readLog())
    const found = findNeedles(forms, stacks)
    const places = [/the rows of public\.control/, /\/base\/\d+\/\d+$/, /\/pg_wal\/[0-9A-F]{24}$/]
    for (const [i, { what }] of forms.entries())
      for (const place of i > 0 ? places : [...places, /the log$/, /\/attachments\/control\.webp$/])
        assert.ok(
          found.some((line) => line.startsWith(`${what}: `) && place.test(line)),
          `${what}: ${place}`,
        )
  })

  const stacks = await collectHaystacks(db, dataDir, readLog())
  for (const part of [
    /messages \(content_encrypted\)/,
    /audit_log/,
    /outbox/,
    /pg_wal/,
    /attachments\/.*\.webp/,
    /\.sealed$/,
  ]) {
    assert.ok(
      stacks.some(({ where, bytes }) => part.test(where) && bytes.length > 0),
      `${part} was not searched`,
    )
  }
  for (const { parsed } of [...mails, ...(await inbox.to(senderMail, 2))]) {
    const mail = JSON.stringify(parsed)
    assert.ok(!mail.includes(DOCUMENT_TEXT) && !mail.includes(DOCUMENT_NAME))
  }
  const outside = stacks.filter(({ where }) => where !== '/master.key')
  assert.deepEqual(findNeedles(needles, outside), [])
  const written = [{ where: 'the log', bytes: Buffer.from(readLog()) }]
  assert.deepEqual(findNeedles(encodingsOf('the hash of an answer link', link!.token_hash, false), written), [])

  await t.test('not even after the key was changed while the server was running', async () => {
    await stop()
    const former = readFileSync(join(dataDir, 'master.key'), 'utf8')
    keys = { MASTER_KEYS_OLD: former }
    writeFileSync(join(dataDir, 'master.key'), randomBytes(32).toString('base64'))
    await start()
    const rotated = await run('rotate-keys')
    for (const column of ENCRYPTED_COLUMNS)
      assert.match(rotated, new RegExp(`^${columnName(column)}: [1-9]\\d* encrypted anew$`, 'm'))
    assert.match(rotated, /encrypts nothing any more: take it out of MASTER_KEYS_OLD/)
    assert.equal((await owner.get(`/api/messages/${id}`)).content, TEXTS.message)
    assert.ok((await visitor.post('/n', noteKey)).includes(NOTE.content))
    // a repeated send is still recognized
    assert.equal((await sender.post('/api/messages', first, key)).id, id)
    await stop()
    keys = {}
    await start()
    assert.equal((await owner.get(`/api/messages/${id}`)).reply, TEXTS.reply)
    assert.equal((await fetch(URL + image.url)).status, 200)
    assert.ok((await openDocument(sent[0]!)).equals(scan))
    assert.deepEqual(await owner.get(`/api/messages/${hit.id}/collision`), card)
    const { items } = await admin.get('/api/admin/audit-log')
    assert.ok(items.some((entry: { reason: string }) => entry.reason === TEXTS['purpose of a case']))
    assert.match(await run('rotate-keys'), /^messages\.content_encrypted: 0 encrypted anew$/m)
    assert.deepEqual(findNeedles(needles, await collectHaystacks(db, dataDir, readLog())), [])
  })

  await t.test('and after the loss of the key, the steps in the docs keep accounts and vehicles usable', async () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
    const [, sql = ''] = /A lost key, with all servers stopped[\s\S]*?```sql\n([\s\S]*?)```/.exec(docs) ?? []
    const before = await admin.get('/api/admin/audit-log')
    await db.unsafe(sql)
    await stop()
    writeFileSync(join(dataDir, 'master.key'), randomBytes(32).toString('base64'))
    await start() // which it would not while anything is encrypted with another key
    assert.equal((await owner.get('/api/vehicles')).items.length, vehicles.length)
    const after = await admin.get('/api/admin/audit-log')
    assert.deepEqual(
      fieldsOf(after.items, 'id', 'reason'),
      fieldsOf(before.items, 'id').map((entry) => [entry, null]),
    )
    await sender.post('/api/messages', { plate: 'HITCAR', content: 'Again' })
    assert.deepEqual(fieldsOf((await owner.get('/api/messages')).items, 'content'), ['Again'])
  })
})
