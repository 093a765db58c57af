import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { noteCodeDigits } from '#contract/note-code.ts'
import { HASH_PARAMETERS } from '../auth/password.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { testApp } from '../test/app.ts'
import { call, type Left, noteLeaver, otherCode, sentItems, VERBS } from '../test/notes.ts'
import { visible } from '../test/tags.ts'
import { decryptNote, deriveNoteKeys } from './note-encryption.ts'
import { findNote } from './queries.ts'

// What somebody who guesses, or has stolen what is kept, learns of a note: nothing (decision windshield-note).

const settings = { TRUST_PROXY: '127.0.0.1' }
const app = await testApp({ settings })
const strict = { ...settings, LIMIT_SCALE: '1' }
let first = await testApp({ sibling: app, settings: strict })
const second = await testApp({ sibling: app, settings: strict })
const { db } = app
const leave = noteLeaver(app)
const countTries = async () => {
  const [row] = await db<{ n: number }[]>`
    select coalesce(sum(count), 0)::int as n from rate_counters where key like 'note%'`
  return row!.n
}

test('the response is the same whatever is wrong, after the same work', async () => {
  const [live, wrongPlate, over, thrown, locked, claimed] = await Promise.all([...'123456'].map(() => leave()))
  await db`update notes set expires_at = now() - interval '1 second' where id = (
    select id from notes where message_id = ${(await sentItems(over!.sender))[0].id})`
  assert.equal((await call(app.visitor, 'unwanted', thrown!)).status, 200)
  const owner = await app.user()
  await app.vehicle(owner, { plate: claimed!.plate })
  assert.equal((await call(owner, 'claim', claimed!)).status, 200)
  for (let i = 0; i < 10; i++) await call(first.visitor, 'open', { ...locked!, plate: 'WRONG' })
  const cases: Record<string, Pick<Left, 'code' | 'plate'>> = {
    'a wrong code': { ...live!, code: otherCode(live!.code) },
    'a mistake in the code': { ...live!, code: live!.code.replace(/\d$/, (d) => String((Number(d) + 1) % 10)) },
    'a wrong plate': { ...wrongPlate!, plate: 'WRONG' },
    'a note that is over': over!,
    'a note that was thrown away': thrown!,
    'a locked note': locked!,
    'a claimed note': claimed!,
  }
  for (const verb of [...VERBS, 'claim'] as const) {
    const who = verb === 'claim' ? first.withToken(owner.token) : first.visitor
    const seen = new Map<string, string[]>()
    for (const [name, key] of Object.entries(cases)) {
      const before = await countTries()
      const response = await call(who, verb, key)
      const answer = `${visible(response)} ${(await countTries()) - before}`
      seen.set(answer, [...(seen.get(answer) ?? []), name])
    }
    assert.equal(seen.size, 1, `${verb}: ${JSON.stringify([...seen])}`)
    assert.match([...seen.keys()][0]!, /^\[404,.*note_not_found/)
  }
  assert.equal((await call(first.visitor, 'open', live!)).status, 200)
})

test('a note that is there is refused after no more work than one that is not', async () => {
  const real = await testApp({ settings, passwordHashing: HASH_PARAMETERS })
  const left = await noteLeaver(real)()
  const time = async (key: Pick<Left, 'code' | 'plate'>) => {
    const begun = process.cpuUsage()
    assert.equal((await call(real.visitor, 'open', key)).status, 404)
    const { user, system } = process.cpuUsage(begun)
    return user + system
  }
  const [wrongPlate, wrongCode] = [
    { ...left, plate: 'WRONG' },
    { ...left, code: otherCode(left.code) },
  ]
  // the time of the processor, of which other programs take nothing; of each kind the try that other work of this one disturbed least
  const least = [Infinity, Infinity]
  for (let i = 0; i < 6; i++)
    for (const [at, key] of [wrongPlate, wrongCode].entries()) least[at] = Math.min(least[at]!, await time(key))
  const ratio = least[0]! / least[1]!
  // one of the two slow hashes left out would be half
  assert.ok(ratio > 0.65 && ratio < 1.55, String(ratio))
})

describe('guessing', () => {
  // what has failed before would make each try need a computation (server/src/tags/tag-limits.test.ts)
  beforeEach(async () => {
    await db`delete from rate_counters where key = 'ceiling:guestFailures'`
  })

  test('locks a note after ten wrong tries of any kind, at two processes and after a restart', async () => {
    const left = await leave()
    const wrong = { ...left, plate: 'WRONG' }
    for (let i = 0; i < 9; i++) await call((i % 2 ? first : second).visitor, VERBS[i % 3]!, wrong)
    // opening resets them
    assert.equal((await call(second.visitor, 'open', left)).status, 200)
    const tries = await Promise.all(
      Array.from({ length: 14 }, (_, i) => call((i % 2 ? first : second).visitor, VERBS[i % 3]!, wrong)),
    )
    assert.deepEqual(new Set(tries.map(({ status }) => status)), new Set([404]))
    for (const one of [first, second]) assert.equal((await call(one.visitor, 'open', left)).status, 404)
    await first.close()
    first = await testApp({ sibling: app, settings: strict })
    assert.equal((await call(first.visitor, 'open', left)).body.REFUSED, 'note_not_found')
  })
})

test('no key but master key, code and plate together opens a note', async () => {
  const { plate, code } = await leave()
  const { keyring } = app.context
  const { codeHash, secret } = await deriveNoteKeys(app.context, noteCodeDigits(code), plate.replace('-', ''))
  const row = (await findNote(db, codeHash))!
  assert.equal(decryptNote(keyring, row.id, secret, row)?.content, 'Your window is open')
  const stranger = { ...keyring, ...createMasterKeys(Buffer.alloc(32, 7).toString('base64'), []) }
  assert.equal(decryptNote(stranger, row.id, secret, row), null)
  for (const [triedCode, triedPlate] of [
    [noteCodeDigits(code), 'NOTE999'],
    [otherCode(code), plate.replace('-', '')],
    ['', ''],
  ] as const) {
    const keys = await deriveNoteKeys(app.context, triedCode, triedPlate)
    assert.equal(decryptNote(keyring, row.id, keys.secret, row), null)
  }
})
