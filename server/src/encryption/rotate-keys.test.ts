import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '../db/ids.ts'
import { encryptContent } from '../messages/message-encryption.ts'
import { allItems, type Caller, type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { runCommand, spawnCommand } from '../test/product.ts'
import { columnName, ENCRYPTED_COLUMNS } from './encrypted-columns.ts'
import { createMasterKeys, currentKeyId } from './envelope-encryption.ts'

const newKey = () => randomBytes(32).toString('base64')
const [OLD, NEW] = [newKey(), newKey()]
const [OLD_ID, NEW_ID] = [OLD, NEW].map((key) => currentKeyId(createMasterKeys(key, [])))

// That the values of every column are encrypted anew is in at-rest.test.ts.
describe('changing the master key', () => {
  let old: TestApp
  const beside: TestApp[] = []
  let owner: Person
  let sender: Person
  let plate: string
  let vehicleId: string
  beforeEach(async () => {
    old = await testApp({ settings: { MASTER_KEY: OLD, ROLE: 'web' } })
    ;[owner, sender] = [await old.user(), await old.user()]
    ;({ id: vehicleId, plate } = await old.vehicle(owner))
  })
  afterEach(async () => {
    for (const app of beside.splice(0)) await app.close()
    await old.close()
  })

  /** Starts the product again with these keys, beside the one with the old key. */
  const startedWith = async (MASTER_KEY: string, MASTER_KEYS_OLD = '') => {
    const app = await testApp({ settings: { MASTER_KEY, MASTER_KEYS_OLD, ROLE: 'web' }, sibling: old })
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
  const received = async (person: Caller) => {
    const items = await allItems(person, '/api/messages?view=received&limit=100')
    return new Map<string, string>(items.map(({ id, content }) => [id, content]))
  }

  test('loses nothing while users write and reply, even when it is interrupted and started again', async () => {
    const seeded = await insertMessages(3000)
    const both = await startedWith(NEW, OLD)
    const [writer, reader] = [as(both, sender), as(both, owner)]
    const written = new Map<string, string>()
    let writing = true
    const traffic = (async () => {
      for (let i = 0; writing; i++) {
        const { status, body } = await writer.post('/api/messages', { plate, content: `Live ${i}` })
        assert.equal(status, 201)
        written.set(body.id, `Live ${i}`)
        assert.equal((await reader.post(`/api/messages/${seeded[i]}/reply`, { reply: `Reply ${i}` })).status, 200)
      }
    })()
    await old.db.begin(async (tx) => {
      // it is not complete before it is interrupted
      await tx`select from messages where id = ${seeded.at(-1)!} for update`
      const first = rotate(NEW, OLD)
      await eventually(async () => ((await countEncryptedWith(NEW_ID!)) > 400 ? true : undefined))
      first.child.kill('SIGKILL')
      await first.ended
    })
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
  await using app = await testApp({ settings: { ROLE: 'web' } })
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
})
