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

describe('sealed texts', () => {
  test('open as what they were, also the empty one and one of a megabyte', () => {
    for (const text of [TEXT, '', 'x', '🚗'.repeat(262_144)]) {
      assert.equal(decryptText(keyring, ASSOCIATED_DATA, encryptText(keyring, ASSOCIATED_DATA, text)), text)
    }
  })

  test('hold nothing of the text and are never the same twice', () => {
    const [one, two] = [encryptText(keyring, ASSOCIATED_DATA, TEXT), encryptText(keyring, ASSOCIATED_DATA, TEXT)]
    assert.equal(one.length, two.length)
    assert.ok(!one.includes('phares') && !one.includes(Buffer.from(KEY, 'base64')))
    // all but the version and the key's name is new each time
    assert.notDeepEqual(one.subarray(9, 21), two.subarray(9, 21))
    assert.notDeepEqual(one.subarray(-40), two.subarray(-40))
  })

  test('do not open in another row, column or table', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    for (const change of [
      { id: ASSOCIATED_DATA.id.replace(/1$/, '2') },
      { column: 'reply' },
      { table: 'contact_submissions' },
    ]) {
      assert.throws(() => decryptText(keyring, { ...ASSOCIATED_DATA, ...change }, sealed), DecryptionError)
    }
  })

  test('do not open when any one byte has changed', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    for (let at = 0; at < sealed.length; at++) {
      const flipped = Buffer.from(sealed)
      flipped[at]! ^= 1
      assert.throws(() => decryptText(keyring, ASSOCIATED_DATA, flipped), DecryptionError, `byte ${at}`)
    }
  })

  test('do not open when cut off anywhere or lengthened', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, 'short')
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(
        () => decryptText(keyring, ASSOCIATED_DATA, sealed.subarray(0, length)),
        DecryptionError,
        `${length} bytes`,
      )
    }
    assert.throws(() => decryptText(keyring, ASSOCIATED_DATA, Buffer.concat([sealed, Buffer.of(0)])), DecryptionError)
  })

  test('do not open with another key; with their key among the old ones they do', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const other = newKey()
    assert.throws(() => decryptText(createMasterKeys(other, []), ASSOCIATED_DATA, sealed), DecryptionError)
    assert.throws(() => decryptText(createMasterKeys(other, [newKey()]), ASSOCIATED_DATA, sealed), DecryptionError)
    const rotated = createMasterKeys(other, [newKey(), KEY])
    assert.equal(decryptText(rotated, ASSOCIATED_DATA, sealed), TEXT)
    // and what is sealed from now on is sealed with the new key
    assert.equal(
      decryptText(createMasterKeys(other, []), ASSOCIATED_DATA, encryptText(rotated, ASSOCIATED_DATA, TEXT)),
      TEXT,
    )
  })
})

test('a file opens with the envelope of its own row only', () => {
  const [mine, other] = [
    generateDataKey(keyring, ASSOCIATED_DATA),
    generateDataKey(keyring, { ...ASSOCIATED_DATA, id: 'other' }),
  ]
  const bytes = randomBytes(1000)
  const sealed = encryptBytes(mine.dataKey, ASSOCIATED_DATA, bytes)
  assert.deepEqual(decryptBytes(unwrapDataKey(keyring, ASSOCIATED_DATA, mine.envelope), ASSOCIATED_DATA, sealed), bytes)
  assert.throws(() => unwrapDataKey(keyring, ASSOCIATED_DATA, other.envelope), DecryptionError)
  assert.throws(() => decryptBytes(other.dataKey, ASSOCIATED_DATA, sealed), DecryptionError)
  assert.throws(() => decryptBytes(mine.dataKey, { ...ASSOCIATED_DATA, id: 'other' }, sealed), DecryptionError)
})

test('a keyed hash tells equal texts of one use, and nothing to whoever lacks its secret', () => {
  const hash = keyedHash(keyring, 'send', TEXT)
  assert.deepEqual(hash, keyedHash(keyring, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash(keyring, 'send', `${TEXT} `))
  assert.notDeepEqual(hash, keyedHash(keyring, 'other', TEXT))
  // the master key may change
  assert.deepEqual(hash, keyedHash({ ...createMasterKeys(newKey(), []), hashKey: keyring.hashKey }, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash({ ...keyring, hashKey: createSecretKey(randomBytes(32)) }, 'send', TEXT))
})

describe('wrapping anew', () => {
  const next = newKey()
  const both = createMasterKeys(next, [KEY])

  test('lets the new key alone open what the old one sealed, and leaves the sealed bytes as they are', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const wrapped = rewrapDataKey(both, ASSOCIATED_DATA, sealed)
    assert.equal(decryptText(createMasterKeys(next, []), ASSOCIATED_DATA, wrapped), TEXT)
    assert.throws(() => decryptText(keyring, ASSOCIATED_DATA, wrapped), DecryptionError)
    assert.deepEqual(wrapped.subarray(81), sealed.subarray(81))

    const file = generateDataKey(keyring, ASSOCIATED_DATA)
    assert.deepEqual(
      unwrapDataKey(createMasterKeys(next, []), ASSOCIATED_DATA, rewrapDataKey(both, ASSOCIATED_DATA, file.envelope)),
      file.dataKey,
    )
  })

  test('does not bring a value to another row, and refuses what it cannot open', () => {
    const sealed = encryptText(keyring, ASSOCIATED_DATA, TEXT)
    const flipped = Buffer.from(sealed)
    flipped[40]! ^= 1
    assert.throws(() => rewrapDataKey(both, { ...ASSOCIATED_DATA, id: 'other' }, sealed), DecryptionError)
    assert.throws(() => rewrapDataKey(both, ASSOCIATED_DATA, flipped), DecryptionError)
    assert.throws(() => rewrapDataKey(createMasterKeys(next, []), ASSOCIATED_DATA, sealed), DecryptionError)
    assert.throws(() => rewrapDataKey(both, ASSOCIATED_DATA, Buffer.from('short')), DecryptionError)
  })
})

describe('generated keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-keys-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const config = loadConfig({ DATA_DIR: join(folder, 'new') })

  test('are made once, readable by their owner alone, and stay', () => {
    const keys = loadSecrets(config, { mayMake: true })
    assert.deepEqual(loadSecrets(config, { mayMake: true }), keys)
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
    const given = loadConfig({ DATA_DIR: folderOfNothing, MASTER_KEY, JWT_SECRET })
    assert.deepEqual(loadSecrets(given, { mayMake: false }), { masterKey: MASTER_KEY, jwtSecret: JWT_SECRET })
    assert.throws(() => statSync(folderOfNothing), { code: 'ENOENT' })
  })

  test('are not made anew where something is sealed already: that stops the start, and no file is written', () => {
    const lost = loadConfig({ DATA_DIR: join(folder, 'lost') })
    assert.throws(
      () => loadSecrets(lost, { mayMake: false }),
      (error) => error instanceof ConfigError && /^\S+master\.key is missing, .* MASTER_KEY$/.test(error.message),
    )
    assert.throws(() => statSync(lost.DATA_DIR), { code: 'ENOENT' })
  })

  test('that are named twice stop the start', () => {
    const [one, two] = [newKey(), newKey()]
    const read = (MASTER_KEYS_OLD: string) =>
      loadSecrets(loadConfig({ MASTER_KEY: one, JWT_SECRET: two, MASTER_KEYS_OLD }), { mayMake: false })
    for (const old of [one, `${two},${one}`, `${two},${two}`]) {
      assert.throws(
        () => read(old),
        (error) => error instanceof ConfigError && /^wrong setting: MASTER_KEYS_OLD .*(too|twice)$/.test(error.message),
      )
    }
    assert.equal(read(two).masterKey, one)
  })

  test('a file that holds no key stops the start with one line, and is left as it is', () => {
    const file = join(config.DATA_DIR, 'master.key')
    writeFileSync(file, 'not a key')
    assert.throws(
      () => loadSecrets(config, { mayMake: true }),
      (error) => error instanceof ConfigError && error.message.includes(file) && !error.message.includes('\n'),
    )
    assert.equal(readFileSync(file, 'utf8'), 'not a key')
  })
})
