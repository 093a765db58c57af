import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigError, loadConfig } from '../config.ts'
import { loadSecrets } from '../secrets.ts'
import {
  createMasterKeys,
  DecryptionError,
  decryptBytes,
  decryptText,
  encryptBytes,
  encryptText,
  generateDataKey,
  keyedHash,
  rewrapDataKey,
  unwrapDataKey,
} from './envelope-encryption.ts'

const newKey = () => randomBytes(32).toString('base64')
const KEY = newKey()
const keyring = { ...createMasterKeys(KEY, []), hashKey: createSecretKey(randomBytes(32)) }
const ASSOCIATED_DATA = { table: 'messages', column: 'content', id: '0198a6f0-0000-7000-8000-000000000001' }
const TEXT = 'Vos phares sont allumés 🚗\n— quelqu’un'

describe('encrypted texts', () => {
  test('decrypt to the original, even if it is empty or a megabyte long', () => {
    for (const text of [TEXT, '', 'x', '🚗'.repeat(262_144)]) {
      assert.equal(decryptText(keyring, ASSOCIATED_DATA, encryptText(keyring, ASSOCIATED_DATA, text)), text)
    }
  })

  test('contain nothing of the text and are never the same twice', () => {
    const [one, two] = [encryptText(keyring, ASSOCIATED_DATA, TEXT), encryptText(keyring, ASSOCIATED_DATA, TEXT)]
    assert.equal(one.length, two.length)
    assert.ok(!one.includes('phares') && !one.includes(Buffer.from(KEY, 'base64')))
    // everything but the version and the key id is new each time
    assert.notDeepEqual(one.subarray(9, 21), two.subarray(9, 21))
    assert.notDeepEqual(one.subarray(-40), two.subarray(-40))
  })

  test('cannot be decrypted in another row, column or table', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    for (const change of [
      { id: ASSOCIATED_DATA.id.replace(/1$/, '2') },
      { column: 'reply' },
      { table: 'contact_submissions' },
    ]) {
      assert.throws(() => decryptText(keyring, { ...ASSOCIATED_DATA, ...change }, encrypted), DecryptionError)
    }
  })

  test('cannot be decrypted after any single byte has changed', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    for (let at = 0; at < encrypted.length; at++) {
      const flipped = Buffer.from(encrypted)
      flipped[at]! ^= 1
      assert.throws(() => decryptText(keyring, ASSOCIATED_DATA, flipped), DecryptionError, `byte ${at}`)
    }
  })

  test('cannot be decrypted when truncated anywhere or extended', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, 'short')
    for (let length = 0; length < encrypted.length; length++) {
      assert.throws(
        () => decryptText(keyring, ASSOCIATED_DATA, encrypted.subarray(0, length)),
        DecryptionError,
        `${length} bytes`,
      )
    }
    assert.throws(
      () => decryptText(keyring, ASSOCIATED_DATA, Buffer.concat([encrypted, Buffer.of(0)])),
      DecryptionError,
    )
  })

  test('cannot be decrypted with another key, unless their key is among the old ones', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const other = newKey()
    assert.throws(() => decryptText(createMasterKeys(other, []), ASSOCIATED_DATA, encrypted), DecryptionError)
    assert.throws(() => decryptText(createMasterKeys(other, [newKey()]), ASSOCIATED_DATA, encrypted), DecryptionError)
    const rotated = createMasterKeys(other, [newKey(), KEY])
    assert.equal(decryptText(rotated, ASSOCIATED_DATA, encrypted), TEXT)
    // from now on the new key encrypts
    assert.equal(
      decryptText(createMasterKeys(other, []), ASSOCIATED_DATA, encryptText(rotated, ASSOCIATED_DATA, TEXT)),
      TEXT,
    )
  })
})

test('a file can only be decrypted with the envelope of its own row', () => {
  const [mine, other] = [
    generateDataKey(keyring, ASSOCIATED_DATA),
    generateDataKey(keyring, { ...ASSOCIATED_DATA, id: 'other' }),
  ]
  const bytes = randomBytes(1000)
  const encrypted = encryptBytes(mine.dataKey, ASSOCIATED_DATA, bytes)
  assert.deepEqual(
    decryptBytes(unwrapDataKey(keyring, ASSOCIATED_DATA, mine.envelope), ASSOCIATED_DATA, encrypted),
    bytes,
  )
  assert.throws(() => unwrapDataKey(keyring, ASSOCIATED_DATA, other.envelope), DecryptionError)
  assert.throws(() => decryptBytes(other.dataKey, ASSOCIATED_DATA, encrypted), DecryptionError)
  assert.throws(() => decryptBytes(mine.dataKey, { ...ASSOCIATED_DATA, id: 'other' }, encrypted), DecryptionError)
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

describe('rewrapping', () => {
  const next = newKey()
  const both = createMasterKeys(next, [KEY])

  test('lets only the new key decrypt what the old one encrypted, and leaves the ciphertext as it is', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const rewrapped = rewrapDataKey(both, ASSOCIATED_DATA, encrypted)
    assert.equal(decryptText(createMasterKeys(next, []), ASSOCIATED_DATA, rewrapped), TEXT)
    assert.throws(() => decryptText(keyring, ASSOCIATED_DATA, rewrapped), DecryptionError)
    assert.deepEqual(rewrapped.subarray(81), encrypted.subarray(81))

    const file = generateDataKey(keyring, ASSOCIATED_DATA)
    assert.deepEqual(
      unwrapDataKey(createMasterKeys(next, []), ASSOCIATED_DATA, rewrapDataKey(both, ASSOCIATED_DATA, file.envelope)),
      file.dataKey,
    )
  })

  test('does not move a value to another row, and refuses what it cannot decrypt', () => {
    const encrypted = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const flipped = Buffer.from(encrypted)
    flipped[40]! ^= 1
    assert.throws(() => rewrapDataKey(both, { ...ASSOCIATED_DATA, id: 'other' }, encrypted), DecryptionError)
    assert.throws(() => rewrapDataKey(both, ASSOCIATED_DATA, flipped), DecryptionError)
    assert.throws(() => rewrapDataKey(createMasterKeys(next, []), ASSOCIATED_DATA, encrypted), DecryptionError)
    assert.throws(() => rewrapDataKey(both, ASSOCIATED_DATA, Buffer.from('short')), DecryptionError)
  })
})

describe('generated keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-keys-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ DATA_DIR: join(folder, 'new') })

  test('are generated once, and readable by their owner only', () => {
    const keys = loadSecrets(config, { allowCreate: true })
    assert.deepEqual(loadSecrets(config, { allowCreate: true }), keys)
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

  test('are neither needed nor written when the settings contain both', () => {
    const missingFolder = join(folder, 'nothing')
    const [MASTER_KEY, JWT_SECRET] = [newKey(), newKey()]
    const given = loadConfig({ DATA_DIR: missingFolder, MASTER_KEY, JWT_SECRET })
    assert.deepEqual(loadSecrets(given, { allowCreate: false }), { masterKey: MASTER_KEY, jwtSecret: JWT_SECRET })
    assert.throws(() => statSync(missingFolder), { code: 'ENOENT' })
  })

  test('stop the start when they are set twice', () => {
    const [one, two] = [newKey(), newKey()]
    const read = (MASTER_KEYS_OLD: string) =>
      loadSecrets(loadConfig({ MASTER_KEY: one, JWT_SECRET: two, MASTER_KEYS_OLD }), { allowCreate: false })
    for (const old of [one, `${two},${one}`, `${two},${two}`]) {
      assert.throws(
        () => read(old),
        (error) => error instanceof ConfigError && /^wrong setting: MASTER_KEYS_OLD .*(too|twice)$/.test(error.message),
      )
    }
    assert.equal(read(two).masterKey, one)
  })

  test('stop the start with one line when their file contains no key, and leave it as it is', () => {
    const file = join(config.DATA_DIR, 'master.key')
    writeFileSync(file, 'not a key')
    assert.throws(
      () => loadSecrets(config, { allowCreate: true }),
      (error) => error instanceof ConfigError && error.message.includes(file) && !error.message.includes('\n'),
    )
    assert.equal(readFileSync(file, 'utf8'), 'not a key')
  })
})
