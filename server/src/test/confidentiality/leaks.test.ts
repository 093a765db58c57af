import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openHarness } from './model.ts'
import * as steps from './steps.ts'

// The test is worth as much as its search: here everything that should be found is found, everywhere it can be read, and what
// somebody else can read is reported.

const harness = await openHarness()
after(() => harness.close())

/** Creates a model in which an owner with everything switched on got a message and answered it. */
async function correspond() {
  const model = await harness.newModel()
  const [owner, sender, stranger] = model.people as [typeof harness.admin, typeof harness.admin, typeof harness.admin]
  await steps.register(harness, model, owner)
  for (const who of [owner, sender, stranger]) {
    await steps.toggleDevice(harness, who, true)
    await steps.toggleStream(harness, who)
  }
  await steps.send(harness, model, sender, model.vehicles[0]!, { withImage: true })
  await harness.settle(model)
  assert.deepEqual(await harness.readEverything(model), [])
  await steps.reply(harness, model, model.messages[0]!)
  await harness.settle(model)
  assert.deepEqual(await harness.readEverything(model), [])
  return { model, owner, stranger, vehicle: model.vehicles[0]!, message: model.messages[0]! }
}

/** Returns the sources in which the strangers' leaks were found, without what differs from run to run. */
const sourcesOf = (leaks: string[], reader: string, what: string): string[] =>
  leaks
    .filter((leak) => leak.startsWith(`${reader} reads in `) && leak.includes(`: ${what} (`))
    .map((leak) =>
      leak
        .slice(`${reader} reads in `.length)
        .replace(/: .*$/, '')
        .replace(/[0-9a-f-]{36}/, ':id'),
    )

describe('the search for leaks', () => {
  test('looks where people read: lists, single messages, the export, live events, emails and pushes', async (t) => {
    const { model, message } = await correspond()
    t.after(() => harness.leave(model))
    for (const expected of [
      'text of a message in GET /api/messages?limit=100&view=received',
      'text of a message in GET /api/messages?limit=100&view=sent',
      `text of a message in GET /api/messages/${message.id}`,
      'text of a message in GET /api/dashboard',
      'text of a message in GET /api/export',
      'text of a message in mail',
      'text of a message in push',
      'text of a reply in GET /api/messages?limit=100&view=sent',
      'text of a reply in mail',
      'text of a reply in push',
      'message id in live',
      'image name in GET /api/messages?limit=100&view=received',
      'name in POST /rest/v1/rpc/get_users',
      'address in GET /api/admin/vehicles?limit=100',
      'session id in GET /api/sessions?limit=100',
      'session id in GET /api/export',
    ])
      assert.ok(harness.shown.has(expected), `${expected} was not looked at`)
  })

  test('reports a vehicle whose messages somebody else can read', async (t) => {
    const { model, owner, stranger, vehicle } = await correspond()
    t.after(() => harness.leave(model))
    await harness.app.db`update vehicles set user_id = ${stranger.id} where id = ${vehicle.id}`
    const leaks = await harness.readEverything(model)
    assert.deepEqual([...new Set(sourcesOf(leaks, stranger.key, 'text of a message'))].sort(), [
      'GET /api/dashboard',
      'GET /api/export',
      'GET /api/messages/:id',
      'GET /api/messages?limit=100&view=received',
    ])
    assert.deepEqual(sourcesOf(leaks, owner.key, 'text of a message'), [])
  })
})
