import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from './test/app.ts'

// The order in which docs/operations.md changes the master key and the secret of sessions with several processes: while they restart one
// after the other, each works beside one of the step before.

const [OLD, NEW] = [0, 1].map(() => randomBytes(32).toString('base64')) as [string, string]
const STEPS: Record<string, string>[] = [
  { MASTER_KEY: OLD, JWT_SECRET: OLD },
  { MASTER_KEY: OLD, MASTER_KEYS_OLD: NEW, JWT_SECRET: OLD, JWT_SECRETS_OLD: NEW },
  { MASTER_KEY: NEW, MASTER_KEYS_OLD: OLD, JWT_SECRET: NEW, JWT_SECRETS_OLD: OLD },
  // the earlier master key stays until everything is encrypted with the new one
  { MASTER_KEY: NEW, MASTER_KEYS_OLD: OLD, JWT_SECRET: NEW },
]

const first = await testApp({ settings: STEPS[0]! })
const processes = [first]
for (const settings of STEPS.slice(1)) processes.push(await testApp({ settings, sibling: first }))
const PAIRS = processes.slice(1).map((newer, i) => ({ step: `STEP${i + 2}`, older: processes[i]!, newer }))

test('the master key is changed in the order of the papers: no process shows a text as damaged', async () => {
  for (const { step, older, newer } of PAIRS) {
    const [owner, sender] = [await older.user(), await older.user()]
    const { plate } = await older.vehicle(owner, { plate: step })
    const content = 'Your lights are on.'
    assert.equal((await newer.withToken(sender.token).post('/api/messages', { plate, content })).status, 201, step)
    assert.equal((await owner.get('/api/messages?view=received')).body.items[0].content, content, step)
  }
})

test('the secret of sessions is changed in the order of the papers: no session ends', async () => {
  for (const { step, older, newer } of PAIRS) {
    const person = await older.user()
    const refreshAt = ({ visitor }: typeof older) =>
      visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: person.refreshToken })
    const renewed = await refreshAt(newer)
    assert.equal(renewed.status, 200, step)
    // as a client does whose response was lost
    assert.equal((await refreshAt(older)).status, 200, step)
    assert.equal((await older.withToken(renewed.body.access_token).get('/api/vehicles')).status, 200, step)
  }
})
