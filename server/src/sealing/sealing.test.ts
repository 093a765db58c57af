import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { readKeys } from '../keys.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { checkKeys, KeyError } from './key-check.ts'
import {
  currentKeyId,
  keyedHash,
  makeKeyring,
  newDataKey,
  openBytes,
  openEnvelope,
  openText,
  sealBytes,
  sealText,
  UnsealError,
} from './seal.ts'

const newKey = () => randomBytes(32).toString('base64')
const KEY = newKey()
const keyring = makeKeyring(KEY, [])
const PLACE = { table: 'messages', column: 'content', id: '0198a6f0-0000-7000-8000-000000000001' }
const TEXT = 'Vos phares sont allumés 🚗\n— quelqu’un'

describe('sealed texts', () => {
  test('open as what they were, also the empty one and one of a megabyte', () => {
    for (const text of [TEXT, '', 'x', '🚗'.repeat(262_144)]) {
      assert.equal(openText(keyring, PLACE, sealText(keyring, PLACE, text)), text)
    }
  })

  test('hold nothing of the text and are never the same twice', () => {
    const [one, two] = [sealText(keyring, PLACE, TEXT), sealText(keyring, PLACE, TEXT)]
    assert.equal(one.length, two.length)
    assert.ok(!one.includes('phares') && !one.includes(Buffer.from(KEY, 'base64')))
    // all but the version and the key's name is new each time
    assert.notDeepEqual(one.subarray(9, 21), two.subarray(9, 21))
    assert.notDeepEqual(one.subarray(-40), two.subarray(-40))
  })

  test('do not open in another row, column or table', () => {
    const sealed = sealText(keyring, PLACE, TEXT)
    for (const change of [{ id: PLACE.id.replace(/1$/, '2') }, { column: 'reply' }, { table: 'contact_submissions' }]) {
      assert.throws(() => openText(keyring, { ...PLACE, ...change }, sealed), UnsealError)
    }
  })

  test('do not open when any one byte has changed', () => {
    const sealed = sealText(keyring, PLACE, TEXT)
    for (let at = 0; at < sealed.length; at++) {
      const flipped = Buffer.from(sealed)
      flipped[at]! ^= 1
      assert.throws(() => openText(keyring, PLACE, flipped), UnsealError, `byte ${at}`)
    }
  })

  test('do not open when cut off anywhere or lengthened', () => {
    const sealed = sealText(keyring, PLACE, 'short')
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => openText(keyring, PLACE, sealed.subarray(0, length)), UnsealError, `${length} bytes`)
    }
    assert.throws(() => openText(keyring, PLACE, Buffer.concat([sealed, Buffer.of(0)])), UnsealError)
  })

  test('do not open with another key; with their key among the old ones they do', () => {
    const sealed = sealText(keyring, PLACE, TEXT)
    const other = newKey()
    assert.throws(() => openText(makeKeyring(other, []), PLACE, sealed), UnsealError)
    assert.throws(() => openText(makeKeyring(other, [newKey()]), PLACE, sealed), UnsealError)
    const rotated = makeKeyring(other, [newKey(), KEY])
    assert.equal(openText(rotated, PLACE, sealed), TEXT)
    // and what is sealed from now on is sealed with the new key
    assert.equal(openText(makeKeyring(other, []), PLACE, sealText(rotated, PLACE, TEXT)), TEXT)
  })
})

test('a file opens with the envelope of its own row only', () => {
  const [mine, other] = [newDataKey(keyring, PLACE), newDataKey(keyring, { ...PLACE, id: 'other' })]
  const bytes = randomBytes(1000)
  const sealed = sealBytes(mine.dataKey, PLACE, bytes)
  assert.deepEqual(openBytes(openEnvelope(keyring, PLACE, mine.envelope), PLACE, sealed), bytes)
  assert.throws(() => openEnvelope(keyring, PLACE, other.envelope), UnsealError)
  assert.throws(() => openBytes(other.dataKey, PLACE, sealed), UnsealError)
  assert.throws(() => openBytes(mine.dataKey, { ...PLACE, id: 'other' }, sealed), UnsealError)
})

test('a keyed hash tells equal texts of one use, and nothing to whoever lacks the key', () => {
  const hash = keyedHash(keyring, 'send', TEXT)
  assert.deepEqual(hash, keyedHash(keyring, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash(keyring, 'send', `${TEXT} `))
  assert.notDeepEqual(hash, keyedHash(keyring, 'other', TEXT))
  assert.notDeepEqual(hash, keyedHash(makeKeyring(newKey(), []), 'send', TEXT))
})

describe('the check at the start', () => {
  let database: TestDatabase
  let db: Pool
  before(async () => {
    database = await freshDatabase()
    db = openPool(database.connection, 2)
    await checkKeys(db, keyring)
  })
  after(async () => {
    await db.end()
    await database.drop()
  })
  const keysOfDatabase = async () =>
    (await db<{ key_id: string; proof: Buffer }[]>`select key_id, proof from sealing_keys order by key_id`).map(
      ({ key_id, proof }) => `${key_id} ${proof.toString('hex')}`,
    )

  test('a key that sealed here is let in again, and its proof stays as it is', async () => {
    const known = await keysOfDatabase()
    assert.ok(known[0]?.startsWith(currentKeyId(keyring)))
    await checkKeys(db, keyring)
    assert.deepEqual(await keysOfDatabase(), known)
  })

  test('another key is refused with one line that says what to set, and nothing is written', async () => {
    const known = await keysOfDatabase()
    await assert.rejects(
      checkKeys(db, makeKeyring(newKey(), [])),
      (error) =>
        error instanceof KeyError &&
        /MASTER_KEY .*MASTER_KEYS_OLD/.test(error.message) &&
        error.message.includes(currentKeyId(keyring)) &&
        !error.message.includes('\n') &&
        !error.message.includes(KEY),
    )
    assert.deepEqual(await keysOfDatabase(), known)
  })

  test('a new key with the old one beside it is let in and from then on belongs to the database', async () => {
    const next = newKey()
    await checkKeys(db, makeKeyring(next, [KEY]))
    assert.equal((await keysOfDatabase()).length, 2)
    await assert.rejects(checkKeys(db, keyring), KeyError) // what the new key sealed would not open
    await assert.rejects(checkKeys(db, makeKeyring(next, [])), KeyError)
  })
})

describe('generated keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-keys-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: join(folder, 'new') })

  test('are made once, readable by their owner alone, and stay', () => {
    const keys = readKeys(config)
    assert.deepEqual(readKeys(config), keys)
    assert.notEqual(keys.masterKey, keys.jwtSecret)
    for (const [name, key] of [
      ['master.key', keys.masterKey],
      ['jwt.key', keys.jwtSecret],
    ] as const) {
      const file = join(config.DATA_DIR, name)
      assert.equal(readFileSync(file, 'utf8').trim(), key)
      assert.equal(Buffer.from(key, 'base64').length, 32)
      if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600)
    }
  })

  test('are not needed, nor written, where the settings hold both', () => {
    const folderOfNothing = join(folder, 'nothing')
    const [MASTER_KEY, JWT_SECRET] = [newKey(), newKey()]
    const given = readConfig({ DATA_DIR: folderOfNothing, MASTER_KEY, JWT_SECRET })
    assert.deepEqual(readKeys(given), { masterKey: MASTER_KEY, jwtSecret: JWT_SECRET })
    assert.throws(() => statSync(folderOfNothing), { code: 'ENOENT' })
  })

  test('a file that holds no key stops the start with one line, and is left as it is', () => {
    const file = join(config.DATA_DIR, 'master.key')
    writeFileSync(file, 'not a key')
    assert.throws(
      () => readKeys(config),
      (error) => error instanceof ConfigError && error.message.includes(file) && !error.message.includes('\n'),
    )
    assert.equal(readFileSync(file, 'utf8'), 'not a key')
  })
})
