import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { noteCodeDigits } from '#contract/note-code.ts'
import { createMasterKeys } from '../encryption/envelope-encryption.ts'
import { createLogger } from '../log/logger.ts'
import { testApp } from '../test/app.ts'
import { call, fromElsewhere, type Left, newPlate, noteLeaver, otherCode, sentItems, VERBS } from '../test/notes.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { decryptNote } from './note-encryption.ts'
import { deriveNoteKeys } from './note-keys.ts'
import { findNote } from './queries.ts'

// What somebody who guesses, or has stolen what is kept, learns of a note: nothing (decision windshield-note).

const settings = { TRUST_PROXY: '127.0.0.1' }
const app = await testApp({ settings })
const strict = { ...settings, LIMIT_SCALE: '1' }
let first = await testApp({ sibling: app, settings: strict })
const second = await testApp({ sibling: app, settings: strict })
const logged: string[] = []
let watched: Awaited<ReturnType<typeof startSiblingServer>>
before(async () => {
  const log = createLogger('trace', { write: (line) => void logged.push(line) })
  watched = await startSiblingServer({ ...app.context, log }, undefined)
})
after(async () => {
  await watched?.close()
  await first.close()
  await second.close()
  await app.close()
})
const { db } = app
const leave = noteLeaver(app)

test('the response is the same whatever is wrong, after the same work', async () => {
  const [live, wrongPlate, over, thrown, locked, claimed] = await Promise.all([...'123456'].map(() => leave()))
  await db`update notes set expires_at = now() - interval '1 second' where id = (
    select id from notes where message_id = ${(await sentItems(over!.sender))[0].id})`
  assert.equal((await call(app.visitor, 'unwanted', thrown!)).status, 204)
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
      const before = await db<
        { n: number }[]
      >`select coalesce(sum(count), 0)::int as n from rate_counters where key like 'note%'`
      const { status, headers, text } = await call(who, verb, key)
      const after = await db<
        { n: number }[]
      >`select coalesce(sum(count), 0)::int as n from rate_counters where key like 'note%'`
      const kept = [...headers].filter(([header]) => !['date', 'x-request-id'].includes(header))
      const answer = JSON.stringify([status, text, kept, after[0]!.n - before[0]!.n])
      seen.set(answer, [...(seen.get(answer) ?? []), name])
    }
    assert.equal(seen.size, 1, `${verb}: ${JSON.stringify([...seen])}`)
    assert.match([...seen.keys()][0]!, /^\[404,.*note_not_found/)
  }
  assert.equal((await call(first.visitor, 'open', live!)).status, 200)
})

/** The middle of some durations: a machine that was busy for a moment does not move it. */
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

test('a note that is there is refused no slower than one that is not', async () => {
  const left = await leave()
  const time = async (key: Pick<Left, 'code' | 'plate'>) => {
    const begun = performance.now()
    assert.equal((await call(app.visitor, 'open', key)).status, 404)
    return performance.now() - begun
  }
  const [wrongPlate, wrongCode] = [
    { ...left, plate: 'WRONG' },
    { ...left, code: otherCode(left.code) },
  ]
  const ratios: number[] = []
  for (let i = 0; i < 24; i++) {
    const early = i % 2 ? await time(wrongPlate) : undefined
    const other = await time(wrongCode)
    ratios.push((early ?? (await time(wrongPlate))) / other)
  }
  // one of the two slow hashes left out would be half
  assert.ok(median(ratios) > 0.65 && median(ratios) < 1.55, String(median(ratios)))
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
    assert.equal((await call(first.visitor, 'open', left)).body.code, 'note_not_found')
  })
})

test('nothing that is kept holds plate, code or text, and no key but all of them opens a note', async () => {
  const [plate, content] = [newPlate(), 'Kingfisher-4tQ7']
  const { token, email } = await app.user()
  const post = async (path: string, body: object, signedIn = false) => {
    const headers = {
      'content-type': 'application/json',
      ...fromElsewhere(),
      ...(signedIn && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(watched.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }
  assert.equal((await post('/api/messages', { plate, content }, true)).status, 404)
  const left = await post('/api/notes', { plate, content }, true)
  const { code } = left.body as { code: string }
  assert.equal((await post('/api/notes/open', { code, plate: 'WRONG' })).status, 404)
  assert.equal((await post('/api/notes/open', { code, plate })).status, 200)
  assert.equal((await post('/api/notes/reply', { code, plate, reply: 'Thank you' })).status, 200)

  const dump = await dumpDatabase()
  const files = globSync('**/*', { cwd: app.config.DATA_DIR, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
  const log = logged.join('')
  assert.match(log, /notes\/open/) // it is the log of these requests
  const needles = [plate, plate.replace('-', ''), code, noteCodeDigits(code), code.replaceAll(' ', '-'), content]
  for (const needle of needles) {
    for (const form of [
      needle,
      Buffer.from(needle).toString('hex'),
      Buffer.from(needle).toString('base64').slice(0, -3),
    ]) {
      for (const [where, text] of Object.entries({ dump, files, log }))
        assert.ok(!text.includes(form), `${form} in ${where}`)
    }
  }
  // the search finds what is there
  assert.ok(dump.includes(email))

  const { keyring } = app.context
  const { codeHash, secret } = await deriveNoteKeys(keyring, noteCodeDigits(code), plate.replace('-', ''))
  const row = (await findNote(db, codeHash))!
  assert.equal(decryptNote(keyring, row.id, secret, row)?.content, content)
  const stranger = { ...keyring, ...createMasterKeys(Buffer.alloc(32, 7).toString('base64'), []) }
  assert.equal(decryptNote(stranger, row.id, secret, row), null)
  for (const [triedCode, triedPlate] of [
    [noteCodeDigits(code), 'NOTE999'],
    [otherCode(code), plate.replace('-', '')],
    ['', ''],
  ] as const) {
    const keys = await deriveNoteKeys(keyring, triedCode, triedPlate)
    assert.equal(decryptNote(keyring, row.id, keys.secret, row), null)
  }
})

/** Returns every row of every table as text. */
async function dumpDatabase(): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'auth')`
  const rows = await Promise.all(
    tables.map(({ name }) => db.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
