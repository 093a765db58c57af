import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, type Person, testApp } from '../test/app.ts'
import {
  assertLimited,
  count,
  createSender,
  inWaves,
  plate,
  plates,
  runConcurrently,
  send,
  sendAll,
  settings,
  unlimitedApp,
} from '../test/send-limits.ts'

// The limits on sending hold for all processes together, and after a restart.

describe('two processes at the same moment', () => {
  test('accept exactly 20 messages of a user', async () => {
    const who = await createSender()
    const responses = await inWaves(48, (i) => send(i % 2 ? who : who.elsewhere, plates[i % plates.length]!))
    assert.deepEqual([count(responses, 201), count(responses, 429)], [20, 28])
  })

  test('accept the last message of a user’s hour once', async () => {
    const who = await createSender()
    await sendAll(who, 19)
    const responses = await runConcurrently(
      () => send(who, plates[8]!),
      () => send(who.elsewhere, plates[9]!),
    )
    assert.deepEqual([count(responses, 201), count(responses, 429)], [1, 1])
  })

  test('accept a user’s last message to a vehicle once', async () => {
    const who = await createSender()
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    const responses = await runConcurrently(
      () => send(who, plate),
      () => send(who.elsewhere, plate),
    )
    assert.deepEqual([count(responses, 201), count(responses, 429)], [1, 1])
  })

  test('accept a user’s last miss once', async () => {
    const who = await createSender()
    for (let i = 0; i < 14; i++) assert.equal((await send(who, `NOBODY${i}`)).status, 404)
    const responses = await runConcurrently(
      () => send(who, 'NOBODY8'),
      () => send(who.elsewhere, 'NOBODY9'),
    )
    assert.deepEqual([count(responses, 404), count(responses, 429)], [1, 1])
  })

  test('store one message for a key', async () => {
    const who = await createSender()
    const once = (caller: Caller) => send(caller, plate, {}, 'key-in-two-places')
    const responses = await runConcurrently(
      () => once(who),
      () => once(who.elsewhere),
    )
    assert.equal(count(responses, 201), 2)
    assert.deepEqual(responses[0]?.body, responses[1]?.body)
  })

  test('do not count against one limit what another one refuses', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    // fifteen are left of the hour; as many again go to a vehicle whose limit is reached
    const responses = await inWaves(32, (i) =>
      send(i % 4 < 2 ? who : who.elsewhere, i % 2 ? plate : plates[1 + (i % 9)]!),
    )
    assert.equal(count(responses, 201), 15)
  })
})

test('a restart forgets nothing', async () => {
  const who = await createSender()
  await sendAll(who, 20)
  const prober = await createSender()
  for (let i = 0; i < 15; i++) await send(prober, 'NOBODY1')
  const restarted = await testApp({ sibling: unlimitedApp, settings })
  try {
    for (const [{ id }, limit] of [
      [who, 'messages'],
      [prober, 'misses'],
    ] as const) {
      const person = (await unlimitedApp.db<{ email: string }[]>`select email from auth.users where id = ${id}`)[0]!
      const again: Person = await restarted.signIn(person.email, 'Correct-horse-7')
      assertLimited(await send(again, plate), limit)
    }
  } finally {
    await restarted.close()
  }
})
