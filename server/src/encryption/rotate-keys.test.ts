import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { AuditEntry } from '#contract/admin.ts'
import { insertSubmission } from '../contact/queries.ts'
import { encryptSubmission } from '../contact/submit-contact.ts'
import { newId } from '../db/ids.ts'
import { openPool } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { encryptContent } from '../messages/message-encryption.ts'
import { encryptSanctionText, type SanctionText } from '../sanctions/sanction-encryption.ts'
import { findOrCreateSubject } from '../subjects/queries.ts'
import { findReceipt, insertReceipt, saveReceiptPush } from '../tags/queries.ts'
import { encryptReceipt } from '../tags/secrets.ts'
import { newEmail, type Person, type TestApp, testApp } from '../test/app.ts'
import { startDispute } from '../test/documents.ts'
import { eventually } from '../test/eventually.ts'
import { runCommand, spawnCommand } from '../test/product.ts'
import { signInWithCode } from '../test/sessions.ts'
import { drawPng, uploadDocument, uploadImage } from '../test/upload.ts'
import { columnName, ENCRYPTED_COLUMNS } from './encrypted-columns.ts'
import { createMasterKeys, currentKeyId } from './envelope-encryption.ts'

/** What `fillEveryColumn` encrypts: a value in each column, and of these more: two messages, the line of a note in Sent, two images. */
const SEVERAL: Record<string, number> = {
  'messages.content_encrypted': 3,
  'messages.sender_person_encrypted': 2,
  'attachments.key_envelope': 2,
}
const COUNTS = ENCRYPTED_COLUMNS.map(columnName).map((name) => ({ name, count: SEVERAL[name] ?? 1 }))
const VALUES = COUNTS.reduce((sum, { count }) => sum + count, 0)

const newKey = () => randomBytes(32).toString('base64')
const [OLD, NEW] = [newKey(), newKey()]
const [OLD_ID, NEW_ID] = [OLD, NEW].map((key) => currentKeyId(createMasterKeys(key, [])))
const REASON = 'The photo shows another plate.'

describe('changing the master key', () => {
  let old: TestApp
  const beside: TestApp[] = []
  let owner: Person
  let sender: Person
  let plate: string
  let vehicleId: string
  beforeEach(async () => {
    old = await testApp({ settings: { MASTER_KEY: OLD } })
    ;[owner, sender] = [await old.user(), await old.user()]
    ;({ id: vehicleId, plate } = await old.vehicle(owner))
  })
  afterEach(async () => {
    for (const app of beside.splice(0)) await app.close()
    await old.close()
  })

  /** Starts the product again with these keys, beside the one with the old key. */
  const startedWith = async (MASTER_KEY: string, MASTER_KEYS_OLD = '') => {
    const app = await testApp({ settings: { MASTER_KEY, MASTER_KEYS_OLD }, sibling: old })
    beside.push(app)
    return app
  }
  const as = (app: TestApp, person: Person) => app.withToken(person.token)

  const rotationEnv = (MASTER_KEY: string, MASTER_KEYS_OLD: string) => ({
    DATABASE_URL: old.database.url,
    DATA_DIR: old.config.DATA_DIR,
    MASTER_KEY,
    MASTER_KEYS_OLD,
  })
  /** Starts `platenote rotate-keys`. */
  const rotate = (current: string, others: string) => spawnCommand('rotate-keys', [], rotationEnv(current, others))
  const rotated = (current: string, others: string) => runCommand('rotate-keys', [], rotationEnv(current, others))

  /** Counts the values in all columns that a key encrypts. */
  const countEncryptedWith = async (keyId: string) => {
    let sum = 0
    for (const { table, column } of ENCRYPTED_COLUMNS) {
      const [row] = await old.db<{ n: number }[]>`
        select count(*)::int as n from ${old.db(table)}
        where encode(substring(${old.db(column)} from 2 for ${keyId.length / 2}), 'hex') = ${keyId}`
      sum += row!.n
    }
    return sum
  }
  const send = (who: Pick<Person, 'post'>, content: string, extra = {}, headers = {}) =>
    who.post('/api/messages', { plate, content, ...extra }, headers)
  /** Inserts messages as if they had been sent. */
  const insertMessages = async (count: number) => {
    const ids = Array.from({ length: count }, newId)
    const encrypted = ids.map((id) =>
      encryptContent(old.context.keyring, { id, vehicleId }, { text: `Text ${id}` }).toString('hex'),
    )
    await old.db`
      insert into messages (id, vehicle_id, addressed_to, plate, content_encrypted)
      select m.id, v.id, v.id, v.plate, decode(m.encrypted, 'hex')
      from unnest(${ids}::uuid[], ${encrypted}::text[]) as m (id, encrypted), vehicles v where v.plate = ${plate}`
    return ids
  }
  /** Inserts a sanction that was appealed and lifted, without the entries in the audit log, whose reasons would count too. */
  const insertAppealedSanction = async () => {
    const [id, appealId, personHash] = [newId(), newId(), randomBytes(32)]
    const encrypt = (text: SanctionText, row: string) =>
      encryptSanctionText(old.context.keyring, text, row, `Text of ${row}`)
    const subjectId = await findOrCreateSubject(old.db, personHash)
    await old.db`
      insert into sanctions (id, subject_id, kind, reason_encrypted, lifted_at, lift_reason_encrypted)
      values (${id}, ${subjectId}, 'suspend', ${encrypt('reason', id)}, now(), ${encrypt('liftReason', id)})`
    await old.db`
      insert into appeals (id, sanction_id, text_encrypted, decided_at, upheld, decision_reason_encrypted)
      values (${appealId}, ${id}, ${encrypt('appeal', appealId)}, now(), false, ${encrypt('decisionReason', appealId)})`
  }
  /** Inserts a message of the contact page that has not been delivered. */
  const insertWaitingSubmission = async () => {
    const [id, subject] = [newId(), 'partnership'] as const
    const form = { name: 'Zoé', email: 'zoe@example.com', subject, message: 'Hello' }
    await insertSubmission(old.db, { id, ...encryptSubmission(old.context.keyring, id, form), subject, locale: 'en' })
  }
  const received = async (person: Pick<Person, 'get'>) => {
    const contents = new Map<string, string>()
    for (let cursor = ''; ; ) {
      const { body } = await person.get(`/api/messages?view=received&limit=100${cursor && `&cursor=${cursor}`}`)
      for (const { id, content } of body.items) contents.set(id, content)
      if (!body.next) return contents
      cursor = body.next
    }
  }

  /** Makes a tag, and a device that waits for the answer to a receipt of a message. */
  const insertTagAndReceipt = async (messageId: string) => {
    const [vehicle] = (await owner.get('/api/vehicles')).body.items
    assert.equal((await owner.post(`/api/vehicles/${vehicle.id}/tag`)).status, 201)
    const receipt = { messageId, receiptHash: randomBytes(32), language: 'pa' } as const
    await insertReceipt(old.db, receipt)
    const { id: receiptId } = (await findReceipt(old.db, receipt.receiptHash))!
    const id = newId()
    const device = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }
    const encryptedReceipt = encryptReceipt(old.context.keyring, id, 'r'.repeat(43))
    await inTransaction(old.db, async (tx) => {
      await saveReceiptPush(tx, { id, receiptId, encryptedReceipt, device })
      await tx`update receipt_pushes set next_at = now() + interval '1 day'` // the message is answered: not now, and never before
    })
  }

  /** Creates a value in every encrypted column, through the API. */
  const fillEveryColumn = async () => {
    const admin = await old.user()
    await old.db`update auth.users set is_admin = true where id = ${admin.id}`
    const rejected = await old.vehicle(await old.user())
    assert.equal((await admin.post(`/api/admin/vehicles/${rejected.id}/reject`, { reason: REASON })).status, 200)
    const picture = await drawPng()
    const { id: attachment_id, url } = (await uploadImage(sender, picture)).body
    const key = { 'idempotency-key': randomUUID() }
    const collision = {
      kind: 'hit',
      province: 'Ontario',
      particulars: { name: 'Kim Roy', phone: '416 555 0100' },
      not_anonymous: true,
    }
    const sent = await send(sender, 'Your lights are on', { attachment_id, reason: 'accident', collision }, key)
    assert.equal(sent.status, 201)
    await owner.post(`/api/messages/${sent.body.id}/reply`, { reply: 'Thank you' })
    const seen = await send(sender, 'I saw it', { reason: 'accident', collision: { kind: 'saw', witness: true } })
    assert.equal((await owner.post(`/api/messages/${seen.body.id}/witness/ask`)).status, 200)
    assert.equal((await uploadImage(sender, picture)).status, 201)
    const report = { reason: 'threat', note: 'I am afraid' }
    assert.equal((await owner.post(`/api/messages/${sent.body.id}/report`, report)).status, 201)
    assert.equal((await sender.post('/api/notes', { plate: 'ROTATED', content: 'Your lights are on' })).status, 201)
    await insertWaitingSubmission()
    const app = { factor_type: 'totp', friendly_name: 'Phone' }
    assert.equal((await (await signInWithCode(old, newEmail())).post('/auth/v1/factors', app)).status, 200)
    await insertAppealedSanction()
    const { incumbent, vehicles } = await startDispute(old, 'DISPUTED')
    assert.equal((await uploadDocument(incumbent, vehicles.incumbent.id, picture)).status, 201)
    await insertTagAndReceipt(sent.body.id)
    assert.equal(await countEncryptedWith(OLD_ID!), VALUES)
    return { admin, sent, attachment_id, url, key, about: { reason: 'accident', collision } }
  }

  test('is complete when everything is encrypted with the new one: text, reply, image, reasons, contact; then the old key can be removed', async () => {
    const { admin, sent, attachment_id, url, key, about } = await fillEveryColumn()
    const folder = join(old.config.DATA_DIR, 'attachments')
    const files = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    const before = files()
    const total = VALUES

    const both = await startedWith(NEW, OLD)
    const { code, out, err } = await rotated(NEW, OLD)
    assert.deepEqual([code, err], [0, ''], out)
    assert.deepEqual(out.trimEnd().split('\n'), [
      ...COUNTS.map(({ name, count }) => `${name}: ${count} encrypted anew`),
      `Key ${NEW_ID} (MASTER_KEY) encrypts ${total} values.`,
      `Key ${OLD_ID} encrypts nothing any more: take it out of MASTER_KEYS_OLD and start all servers again.`,
    ])
    assert.deepEqual([await countEncryptedWith(OLD_ID!), await countEncryptedWith(NEW_ID!)], [0, total])
    assert.deepEqual(files(), before)

    const later = await startedWith(NEW)
    for (const app of [both, later]) {
      const { body } = await as(app, owner).get(`/api/messages/${sent.body.id}`)
      assert.deepEqual([body.content, body.reply, body.image_url], ['Your lights are on', 'Thank you', url])
      assert.equal((await fetch(app.url + url)).status, 200)
      const card = await as(app, owner).get(`/api/messages/${sent.body.id}/collision`)
      assert.equal(card.body.particulars.name, 'Kim Roy')
      const log = (await as(app, admin).get('/api/admin/audit-log')).body.items
      assert.ok(log.some(({ reason }: { reason: string }) => reason === REASON))
      // a repeated send is still recognized, and the same key with another text is still refused
      const repeated = await send(as(app, sender), 'Your lights are on', { attachment_id, ...about }, key)
      assert.deepEqual([repeated.status, repeated.body], [201, sent.body])
      assert.equal(
        (await send(as(app, sender), 'Something else', { attachment_id, ...about }, key)).body.code,
        'idempotency_mismatch',
      )
    }
    await assert.rejects(startedWith(OLD), /MASTER_KEY does not open this database/)

    const second = await rotated(NEW, '')
    assert.equal(second.code, 0)
    assert.match(second.out, /^messages\.content_encrypted: 0 encrypted anew$/m)
  })

  test('loses nothing while users write and reply, even when it is interrupted and started again', async () => {
    const seeded = await insertMessages(3000)
    const both = await startedWith(NEW, OLD)
    const [writer, reader] = [as(both, sender), as(both, owner)]
    const written = new Map<string, string>()
    let writing = true
    const traffic = (async () => {
      for (let i = 0; writing; i++) {
        const { status, body } = await send(writer, `Live ${i}`)
        assert.equal(status, 201)
        written.set(body.id, `Live ${i}`)
        assert.equal((await reader.post(`/api/messages/${seeded[i]}/reply`, { reply: `Reply ${i}` })).status, 200)
      }
    })()
    const first = rotate(NEW, OLD)
    await eventually(async () => ((await countEncryptedWith(NEW_ID!)) > 400 ? true : undefined))
    first.child.kill('SIGKILL')
    await first.ended
    assert.ok((await countEncryptedWith(OLD_ID!)) > 0, 'it was complete before it was interrupted')
    const { code, out } = await rotated(NEW, OLD)
    writing = false
    await traffic
    assert.equal(code, 0, out)
    assert.equal(await countEncryptedWith(OLD_ID!), 0)

    const later = await startedWith(NEW)
    const contents = await received(as(later, owner))
    assert.equal(contents.size, seeded.length + written.size)
    for (const id of seeded) assert.equal(contents.get(id), `Text ${id}`)
    for (const [id, content] of written) assert.equal(contents.get(id), content)
    const reply = (await as(later, owner).get(`/api/messages/${seeded[0]}`)).body.reply
    assert.equal(reply, 'Reply 0')
  })

  test('skips a row while another transaction has it locked, and never overwrites its change', async () => {
    const [locked] = await insertMessages(3)
    const both = await startedWith(NEW, OLD)
    const changed = encryptContent(old.context.keyring, { id: locked!, vehicleId }, { text: 'Written meanwhile' })
    let run: ReturnType<typeof rotate> | undefined
    await both.db.begin(async (tx) => {
      await tx`update messages set content_encrypted = ${changed} where id = ${locked!}`
      run = rotate(NEW, OLD)
      await eventually(async () => ((await countEncryptedWith(NEW_ID!)) === 2 ? true : undefined))
    })
    assert.equal((await run!.ended)[0], 0)
    assert.equal(await countEncryptedWith(OLD_ID!), 0)
    assert.equal((await received(as(both, owner))).get(locked!), 'Written meanwhile')
  })

  test('lists what it cannot decrypt, leaves it as it is, does the rest and fails', async () => {
    const [foreign, damaged, garbage, fine] = await insertMessages(4)
    const lost = createMasterKeys(newKey(), [])
    const values = new Map([
      [foreign!, encryptContent({ ...old.context.keyring, ...lost }, { id: foreign!, vehicleId }, { text: 'x' })],
      [garbage!, Buffer.from('nothing')],
    ])
    for (const [id, value] of values) await old.db`update messages set content_encrypted = ${value} where id = ${id}`
    await old.db`update messages set content_encrypted = set_byte(content_encrypted, 40, 255 - get_byte(content_encrypted, 40)) where id = ${damaged!}`
    const read = async () => old.db`select id, content_encrypted from messages where id <> ${fine!} order by id`
    const before = await read()

    const both = await startedWith(NEW, OLD)
    for (let again = 0; again < 2; again++) {
      const { code, out } = await rotated(NEW, OLD)
      assert.equal(code, 1)
      const line = (why: string, id: string) =>
        new RegExp(`^messages\\.content_encrypted: left as they are, because they ${why}: ${id}$`, 'm')
      assert.match(out, line(`are encrypted with key ${currentKeyId(lost)}, which MASTER_KEYS_OLD lacks`, foreign!))
      assert.match(out, line('were changed in the database', damaged!))
      assert.match(out, line('are no encrypted values', garbage!))
      assert.match(out, new RegExp(`^Key ${OLD_ID} still encrypts 1 values: keep it`, 'm'))
    }
    assert.deepEqual(await read(), before)
    assert.equal((await received(as(both, owner))).get(fine!), `Text ${fine}`)
  })

  test('after the loss of a key, the steps in the docs keep accounts and vehicles usable', async () => {
    const { admin } = await fillEveryColumn()
    await assert.rejects(startedWith(NEW), /MASTER_KEY does not open this database/)
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
    const [, sql] = /A lost key, with all servers stopped[\s\S]*?```sql\n([\s\S]*?)```/.exec(docs) ?? []
    assert.ok(sql)
    const alone = openPool(old.database.connection, 1)
    await alone.unsafe(sql)
    await alone.end()
    assert.equal(await countEncryptedWith(OLD_ID!), 0)
    const fresh = await startedWith(NEW)
    assert.equal((await as(fresh, owner).get('/api/vehicles')).body.items.length, 1)
    const actions = (await as(fresh, admin).get('/api/admin/audit-log')).body.items.map((one: AuditEntry) => one.action)
    assert.deepEqual(actions, ['vehicle_rejected'])
    assert.equal((await send(as(fresh, sender), 'Again')).status, 201)
    assert.equal((await received(as(fresh, owner))).size, 1)
  })

  test('refuses a key no server has started with, reports missing keys, and changes nothing', async () => {
    const [id] = await insertMessages(1)
    for (const [current, others] of [
      [NEW, OLD],
      [newKey(), ''],
    ] as const) {
      const { code, out, err } = await rotated(current, others)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, /^no server has started with this MASTER_KEY yet; .*\n$/)
    }
    await startedWith(NEW, OLD)
    const { code, out } = await rotated(NEW, '')
    assert.equal(code, 1)
    assert.match(out, new RegExp(`are encrypted with key ${OLD_ID}, which MASTER_KEYS_OLD lacks: ${id}$`, 'm'))
    assert.equal(await countEncryptedWith(NEW_ID!), 0)
  })
})

test('every encrypted column of the database is in the list', async () => {
  const app = await testApp()
  try {
    const columns = await app.db<{ name: string }[]>`
      select format('%s.%s', a.attrelid::regclass, a.attname) as name
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and a.atttypid = 'bytea'::regtype and not a.attisdropped
        and n.nspname not in ('pg_catalog', 'information_schema')`
    const encrypted = columns.map(({ name }) => name).filter((name) => /_(?:encrypted|envelope)$/.test(name))
    assert.deepEqual(encrypted.sort(), ENCRYPTED_COLUMNS.map(columnName).sort())
    // an encrypted column with another kind of name would be missed: all other bytes are hashes, proofs of keys, and
    // boxes, which are encrypted with the key in another column
    const others = columns
      .map(({ name }) => name)
      .filter((name) => !encrypted.includes(name) && !/_(?:hash|person|box)$/.test(name))
    assert.deepEqual(others, ['encryption_keys.proof'])
  } finally {
    await app.close()
  }
})
