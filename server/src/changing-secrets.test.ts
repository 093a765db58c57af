import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type TestApp, testApp } from './test/app.ts'

// The order in which docs/operations.md changes the master key and the secret of sessions with several processes: while they restart one
// after the other, each works beside one of the step before.

const [OLD, NEW] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]
type Step = [current: string, others: string]
const BEFORE: Step = [OLD, '']
const ADDED: Step = [OLD, NEW]
const SWAPPED: Step = [NEW, OLD]
const REMOVED: Step = [NEW, '']

type Names = [current: string, others: string]
const toSettings = ([name, others]: Names, [current, rest]: Step) => ({ [name]: current, [others]: rest })

/** Starts a process of each of two steps on one database. */
async function startBoth(names: Names, older: Step, newer: Step): Promise<[older: TestApp, newer: TestApp]> {
  const first = await testApp({ settings: toSettings(names, older) })
  const second = await testApp({ settings: toSettings(names, newer), sibling: first })
  return [first, second]
}

/** Returns what an older process shows of a message that a newer one stored. */
async function readAcross(older: Step, newer: Step): Promise<string> {
  const [first, second] = await startBoth(['MASTER_KEY', 'MASTER_KEYS_OLD'], older, newer)
  const [owner, sender] = [await first.user(), await first.user()]
  const { plate } = await first.vehicle(owner)
  const content = 'Your lights are on.'
  const sent = await second.withToken(sender.token).post('/api/messages', { plate, content })
  assert.equal(sent.status, 201, sent.text)
  return (await owner.get('/api/messages?view=received')).body.items[0].content
}

test('the master key is changed in the order of the papers: no process shows a text as damaged', async () => {
  for (const [older, newer] of [
    [BEFORE, ADDED],
    [ADDED, SWAPPED],
  ] as const)
    assert.equal(await readAcross(older, newer), 'Your lights are on.')
})

/** Refreshes at the newer process, and again with the same token at the older one, as a client does whose response was lost. */
async function refreshAcross(older: Step, newer: Step) {
  const [first, second] = await startBoth(['JWT_SECRET', 'JWT_SECRETS_OLD'], older, newer)
  const person = await first.user()
  const refreshAt = (app: TestApp) =>
    app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken })
  const renewed = await refreshAt(second)
  assert.equal(renewed.status, 200, renewed.text)
  const repeated = await refreshAt(first)
  const read = await first.withToken(renewed.body.access_token).get('/api/vehicles')
  return { repeated: repeated.status, read: read.status }
}

test('the secret of sessions is changed in the order of the papers: no session ends', async () => {
  for (const [older, newer] of [
    [BEFORE, ADDED],
    [ADDED, SWAPPED],
    [SWAPPED, REMOVED],
  ] as const)
    assert.deepEqual(await refreshAcross(older, newer), { repeated: 200, read: 200 })
})
