import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigError, readConfig } from '../config.ts'
import { readKeys } from '../keys.ts'
import {
  keyedHash,
  makeKeys,
  newDataKey,
  openBytes,
  openEnvelope,
  openText,
  rewrap,
  sealBytes,
  sealText,
  UnsealError,
} from './seal.ts'

const newKey = () => randomBytes(32).toString('base64')
const KEY = newKey()
const keyring = { ...makeKeys(KEY, []), hashKey: createSecretKey(randomBytes(32)) }
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
    assert.throws(() => openText(makeKeys(other, []), PLACE, sealed), UnsealError)
    assert.throws(() => openText(makeKeys(other, [newKey()]), PLACE, sealed), UnsealError)
    const rotated = makeKeys(other, [newKey(), KEY])
    assert.equal(openText(rotated, PLACE, sealed), TEXT)
    // and what is sealed from now on is sealed with the new key
    assert.equal(openText(makeKeys(other, []), PLACE, sealText(rotated, PLACE, TEXT)), TEXT)
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

test('a keyed hash tells equal texts of one use, and nothing to whoever lacks its secret', () => {
  const hash = keyedHash(keyring, 'send', TEXT)
  assert.deepEqual(hash, keyedHash(keyring, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash(keyring, 'send', `${TEXT} `))
  assert.notDeepEqual(hash, keyedHash(keyring, 'other', TEXT))
  // the master key may change
  assert.deepEqual(hash, keyedHash({ ...makeKeys(newKey(), []), hashKey: keyring.hashKey }, 'send', TEXT))
  assert.notDeepEqual(hash, keyedHash({ ...keyring, hashKey: createSecretKey(randomBytes(32)) }, 'send', TEXT))
})

describe('wrapping anew', () => {
  const next = newKey()
  const both = makeKeys(next, [KEY])

  test('lets the new key alone open what the old one sealed, and leaves the sealed bytes as they are', () => {
    const sealed = sealText(keyring, PLACE, TEXT)
    const wrapped = rewrap(both, PLACE, sealed)
    assert.equal(openText(makeKeys(next, []), PLACE, wrapped), TEXT)
    assert.throws(() => openText(keyring, PLACE, wrapped), UnsealError)
    assert.deepEqual(wrapped.subarray(81), sealed.subarray(81))

    const file = newDataKey(keyring, PLACE)
    assert.deepEqual(openEnvelope(makeKeys(next, []), PLACE, rewrap(both, PLACE, file.envelope)), file.dataKey)
  })

  test('does not bring a value to another row, and refuses what it cannot open', () => {
    const sealed = sealText(keyring, PLACE, TEXT)
    const flipped = Buffer.from(sealed)
    flipped[40]! ^= 1
    assert.throws(() => rewrap(both, { ...PLACE, id: 'other' }, sealed), UnsealError)
    assert.throws(() => rewrap(both, PLACE, flipped), UnsealError)
    assert.throws(() => rewrap(makeKeys(next, []), PLACE, sealed), UnsealError)
    assert.throws(() => rewrap(both, PLACE, Buffer.from('short')), UnsealError)
  })
})

describe('generated keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-keys-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: join(folder, 'new') })

  test('are made once, readable by their owner alone, and stay', () => {
    const keys = readKeys(config, { mayMake: true })
    assert.deepEqual(readKeys(config, { mayMake: true }), keys)
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
    assert.deepEqual(readKeys(given, { mayMake: false }), { masterKey: MASTER_KEY, jwtSecret: JWT_SECRET })
    assert.throws(() => statSync(folderOfNothing), { code: 'ENOENT' })
  })

  test('are not made anew where something is sealed already: that stops the start, and no file is written', () => {
    const lost = readConfig({ DATA_DIR: join(folder, 'lost') })
    assert.throws(
      () => readKeys(lost, { mayMake: false }),
      (error) => error instanceof ConfigError && /^\S+master\.key is missing, .* MASTER_KEY$/.test(error.message),
    )
    assert.throws(() => statSync(lost.DATA_DIR), { code: 'ENOENT' })
  })

  test('that are named twice stop the start', () => {
    const [one, two] = [newKey(), newKey()]
    const read = (MASTER_KEYS_OLD: string) =>
      readKeys(readConfig({ MASTER_KEY: one, JWT_SECRET: two, MASTER_KEYS_OLD }), { mayMake: false })
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
      () => readKeys(config, { mayMake: true }),
      (error) => error instanceof ConfigError && error.message.includes(file) && !error.message.includes('\n'),
    )
    assert.equal(readFileSync(file, 'utf8'), 'not a key')
  })
})
