import assert from 'node:assert/strict'
import { createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { newId } from '../db/ids.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { loadMasterKeys } from '../secrets.ts'
import { temporaryFolder } from '../test/closing.ts'
import type { TestDatabase } from '../test/database.ts'
import { eventually } from '../test/eventually.ts'
import { fieldsOf } from '../test/fields.ts'
import { openTestDatabase } from '../test/open-database.ts'
import { createMasterKeys, currentKeyId, DecryptionError, decryptText, encryptText } from './envelope-encryption.ts'
import { MasterKeyError, openKeyring, verifyKeys, verifyKeysBeforeStart } from './verify-keys.ts'

const newKey = () => randomBytes(32).toString('base64')
const [FIRST, SECOND] = [newKey(), newKey()]
const first = createMasterKeys(FIRST, [])
const second = createMasterKeys(SECOND, [])
const both = createMasterKeys(SECOND, [FIRST])

describe('the check of the master keys at the start', () => {
  let database: TestDatabase
  let db: Pool
  beforeEach(async () => {
    ;({ db, ...database } = await openTestDatabase(4))
  })

  /** Reads everything the check could write. */
  const readState = async () =>
    JSON.stringify([
      await db`select * from encryption_keys order by key_id`,
      await db`select * from encryption_secrets order by id`,
    ])

  /** Inserts an encrypted text as the product does, in the smallest table that has one. */
  const insertEncrypted = async (keys: typeof first) => {
    const id = newId()
    const encrypted = encryptText(keys, { table: 'audit_log', column: 'reason', id }, 'Why')
    await db`
      insert into audit_log (id, action, subject, subject_id, reason_encrypted)
      values (${id}, 'vehicle_rejected', 'X', ${newId()}, ${encrypted})`
  }

  const assertRefused = async (keys: typeof first, line: RegExp) => {
    const before = await readState()
    for (const check of [verifyKeys, openKeyring]) {
      await assert.rejects(check(db, keys), (error) => {
        assert.ok(error instanceof MasterKeyError)
        assert.match(error.message, line)
        assert.doesNotMatch(error.message, /\n/)
        for (const key of [FIRST, SECOND]) assert.ok(!error.message.includes(key))
        return true
      })
    }
    assert.equal(await readState(), before)
  }

  test('refuses another key with one line that says what to set, and writes nothing', async () => {
    await openKeyring(db, first)
    await assertRefused(second, new RegExp(`^wrong setting: MASTER_KEY .*key ${currentKeyId(first)}.*MASTER_KEYS_OLD$`))
    await assertRefused(createMasterKeys(SECOND, [newKey()]), /^wrong setting: MASTER_KEY /)
  })

  test('accepts a new key together with the old one, in any order; from then on both are needed', async () => {
    const { hashKey } = await openKeyring(db, first)
    const rotated = await openKeyring(db, both)
    assert.ok(rotated.hashKey.equals(hashKey))
    await insertEncrypted(rotated)
    await assertRefused(first, /^missing setting: MASTER_KEYS_OLD lacks key \w{16}, .*platenote rotate-keys$/)
    await assertRefused(second, /^missing setting: MASTER_KEYS_OLD lacks key \w{16}, .*platenote rotate-keys$/)
    await openKeyring(db, createMasterKeys(FIRST, [newKey(), SECOND]))
    await openKeyring(db, createMasterKeys(SECOND, [newKey(), FIRST]))
  })

  test('deletes the proof of a key that encrypts nothing and is no longer set', async () => {
    await openKeyring(db, both)
    await db`insert into encryption_keys (key_id, proof)
      values (${currentKeyId(first)}, ${encryptText(first, { table: 'encryption_keys', column: 'proof', id: currentKeyId(first) }, 'x')})`
    assert.deepEqual(await verifyKeys(db, second), [currentKeyId(first)])
    await openKeyring(db, second)
    const left = await db<{ key_id: string }[]>`select key_id from encryption_keys`
    assert.deepEqual(fieldsOf(left, 'key_id'), [currentKeyId(second)])
  })

  test('relies on the encrypted values when the proofs are lost', async () => {
    await openKeyring(db, first)
    await insertEncrypted(first)
    await db`delete from encryption_keys`
    await assertRefused(second, new RegExp(`^wrong setting: MASTER_KEY .*${currentKeyId(first)}`))
    await openKeyring(db, first)
  })

  test('reads everything that is encrypted however long that takes', async () => {
    await openKeyring(db, first)
    await insertEncrypted(first)
    const limited = openPool(database.connection, 1, { statementTimeoutMs: 50 })
    try {
      const checking = await db.begin(async (tx) => {
        await tx`lock table audit_log in access exclusive mode` // reading it takes until this ends
        const check = verifyKeysBeforeStart(limited, second)
        const reads = eventually(async () => {
          const [row] = await db`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
              and clock_timestamp() - query_start > interval '100 milliseconds'`
          return row
        })
        await Promise.race([reads, check])
        return { check }
      })
      await assert.rejects(checking.check, MasterKeyError)
    } finally {
      await limited.end()
    }
  })

  test('names the table that was changed by hand', async () => {
    await openKeyring(db, first)
    await db`update encryption_secrets set secret_encrypted = ${randomBytes(120)}`
    await assert.rejects(
      openKeyring(db, first),
      // deleting it would make another secret, under which nothing that was hashed is found
      (error) =>
        error instanceof MasterKeyError &&
        /encryption_secrets.* restore this row from a backup/.test(error.message) &&
        !/delete/.test(error.message),
    )
    await db`update encryption_keys set proof = set_byte(proof, 40, 255 - get_byte(proof, 40))`
    await assertRefused(first, /^the proof of key \w{16} in the table encryption_keys was changed; .*$/)
  })

  test('of two starts of an empty database with different keys, one succeeds', async () => {
    const results = await Promise.allSettled([openKeyring(db, first), openKeyring(db, second)])
    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.ok(refused[0]!.reason instanceof MasterKeyError)
  })
})

const KEY = newKey()
const keyring = { ...createMasterKeys(KEY, []), hashKey: createSecretKey(randomBytes(32)) }
const ASSOCIATED_DATA = { table: 'messages', column: 'content', id: '0198a6f0-0000-7000-8000-000000000001' }
const TEXT = 'Vos phares sont allumés 🚗\n— quelqu’un'

describe('encrypted texts', () => {
  test('are never the same twice', () => {
    const [one, two] = [encryptText(keyring, ASSOCIATED_DATA, TEXT), encryptText(keyring, ASSOCIATED_DATA, TEXT)]
    // everything but the version and the key id is new each time
    assert.notDeepEqual(one.subarray(9, 21), two.subarray(9, 21))
    assert.notDeepEqual(one.subarray(-40), two.subarray(-40))
  })

  test('are encrypted with the key of their column, and of the month in the id of their row if it has one', () => {
    const boundTo = '0198a6f0-0000-7000-8000-000000000002'
    for (const [id, month] of [
      [ASSOCIATED_DATA.id, '2025-8'],
      ['019aae8a-9000-7000-8000-000000000001', '2025-11'],
      ['f47ac10b-58cc-4372-a567-0e02b2c3d479', ''],
    ] as const) {
      const encrypted = encryptText(keyring, { ...ASSOCIATED_DATA, id, boundTo }, TEXT)
      const key = hkdfSync('sha256', Buffer.from(KEY, 'base64'), '', `platenote values messages.content ${month}`, 32)
      const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), encrypted.subarray(9, 21))
      decipher.setAAD(Buffer.from(`messages.content:${id}:${boundTo}`)).setAuthTag(encrypted.subarray(-16))
      assert.equal(Buffer.concat([decipher.update(encrypted.subarray(21, -16)), decipher.final()]).toString(), TEXT)
    }
  })

  test('cannot be decrypted in another row, column or table, nor after any change', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, 'short')
    const assertLost = (bytes: Buffer, change = {}) =>
      assert.throws(() => decryptText(keyring, { ...ASSOCIATED_DATA, ...change }, bytes), DecryptionError)
    for (const change of [{ id: 'other' }, { column: 'reply' }, { table: 'notes' }]) assertLost(encrypted, change)
    for (let at = 0; at < encrypted.length; at++) {
      const flipped = Buffer.from(encrypted)
      flipped[at]! ^= 1
      assertLost(flipped)
      assertLost(encrypted.subarray(0, at))
    }
    assertLost(Buffer.concat([encrypted, Buffer.of(0)]))
  })
})

describe('generated keys', () => {
  const folder = temporaryFolder('platenote-keys-')
  const config = loadConfig({ DATA_DIR: folder })

  test('stop the start when they are set twice', () => {
    const [one, two] = [newKey(), newKey()]
    const read = (MASTER_KEYS_OLD: string) =>
      loadMasterKeys(loadConfig({ MASTER_KEY: one, MASTER_KEYS_OLD }), { allowCreate: false })
    for (const old of [one, `${two},${one}`, `${two},${two}`]) {
      assert.throws(
        () => read(old),
        (error) => error instanceof ConfigError && /^wrong setting: MASTER_KEYS_OLD .*(too|twice)$/.test(error.message),
      )
    }
    assert.deepEqual(read(two), createMasterKeys(one, [two]))
  })

  test('stop the start with one line when their file contains no key, and leave it as it is', () => {
    const file = join(config.DATA_DIR, 'master.key')
    writeFileSync(file, 'not a key')
    assert.throws(
      () => loadMasterKeys(config, { allowCreate: true }),
      (error) => error instanceof ConfigError && error.message.includes(file) && !error.message.includes('\n'),
    )
    assert.equal(readFileSync(file, 'utf8'), 'not a key')
  })
})
