import assert from 'node:assert/strict'
import { createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { loadMasterKeys } from '../secrets.ts'
import { createMasterKeys, DecryptionError, decryptText, encryptText, keyedHash } from './envelope-encryption.ts'

const newKey = () => randomBytes(32).toString('base64')
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

test('keyed hashes are equal for equal texts of one purpose, and depend on the secret', () => {
  const hash = keyedHash(keyring, 'send', TEXT)
  assert.deepEqual(hash, keyedHash(keyring, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash(keyring, 'send', `${TEXT} `))
  assert.notDeepEqual(hash, keyedHash(keyring, 'other', TEXT))
  // the master key may change
  assert.deepEqual(hash, keyedHash({ ...createMasterKeys(newKey(), []), hashKey: keyring.hashKey }, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash({ ...keyring, hashKey: createSecretKey(randomBytes(32)) }, 'send', TEXT))
})

describe('generated keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-keys-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
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
