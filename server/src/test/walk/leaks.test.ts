import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { notify } from '../../notifications/notify.ts'
import * as steps from './steps.ts'
import { openStage } from './world.ts'

// The walk is worth as much as its search: here everything that should be found is found, in every place it can be read,
// and what is planted where it does not belong is reported.

const stage = await openStage()
after(() => stage.close())

/** Creates a world in which an owner with everything switched on got a message and answered it. */
async function correspond() {
  const world = await stage.newWorld()
  const [owner, sender, stranger] = world.people as [typeof stage.admin, typeof stage.admin, typeof stage.admin]
  await steps.register(stage, world, owner)
  for (const who of [owner, sender, stranger]) {
    await steps.toggleDevice(stage, who, true)
    await steps.toggleStream(stage, who)
  }
  await steps.send(stage, world, sender, world.vehicles[0]!, { withImage: true })
  await stage.settle(world)
  assert.deepEqual(await stage.readEverything(world), [])
  await steps.reply(stage, world, world.messages[0]!)
  await stage.settle(world)
  assert.deepEqual(await stage.readEverything(world), [])
  return { world, owner, sender, stranger, vehicle: world.vehicles[0]!, message: world.messages[0]! }
}

/** Returns the places in which the strangers' leaks were found, without what differs from run to run. */
const placesOf = (leaks: string[], reader: string, what: string): string[] =>
  leaks
    .filter((leak) => leak.startsWith(`${reader} reads in `) && leak.includes(`: ${what} (`))
    .map((leak) =>
      leak
        .slice(`${reader} reads in `.length)
        .replace(/: .*$/, '')
        .replace(/[0-9a-f-]{36}/, ':id'),
    )

describe('the search of the walk', () => {
  test('looks where people read: lists, single messages, the export, live events, emails and pushes', async (t) => {
    const { world, message } = await correspond()
    t.after(() => stage.leave(world))
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
      assert.ok(stage.shown.has(expected), `${expected} was not looked at`)
  })

  test('reports a vehicle whose messages somebody else can read', async (t) => {
    const { world, owner, stranger, vehicle } = await correspond()
    t.after(() => stage.leave(world))
    await stage.app.db`update vehicles set user_id = ${stranger.id} where id = ${vehicle.id}`
    const leaks = await stage.readEverything(world)
    assert.deepEqual([...new Set(placesOf(leaks, stranger.key, 'text of a message'))].sort(), [
      'GET /api/dashboard',
      'GET /api/export',
      'GET /api/messages/:id',
      'GET /api/messages?limit=100&view=received',
    ])
    assert.deepEqual(placesOf(leaks, owner.key, 'text of a message'), [])
  })

  test('reports a push to the wrong device, a mail to the wrong address and a live event to the wrong person', async (t) => {
    const { world, owner, sender, stranger, vehicle, message } = await correspond()
    t.after(() => stage.leave(world))
    const { db } = stage.app
    await db`update push_subscriptions set user_id = ${owner.id} where user_id = ${stranger.id}`
    const elsewhere = `${stranger.words.email}@example.com`
    await db`update auth.users set email = ${`gone-${owner.id}@example.com`} where id = ${stranger.id}`
    await db`update auth.users set email = ${elsewhere} where id = ${owner.id}`
    await steps.send(stage, world, sender, vehicle)
    await stage.settle(world)
    const leaks = await stage.readEverything(world)
    assert.ok(placesOf(leaks, stranger.key, 'text of a message').includes('push'), leaks.join('\n'))
    assert.ok(placesOf(leaks, stranger.key, 'text of a message').some((place) => place.startsWith('mail')))

    await notify(db, [{ userId: stranger.id, type: 'message_received', data: { message_id: message.id } }])
    stage.app.context.live.publish([stranger.id])
    await stage.settle(world)
    assert.ok(placesOf(await stage.readEverything(world), stranger.key, 'message id').includes('live'))
  })

  test('finds a secret in any case, an id without hyphens, and both inside of base64', () => {
    const { secrets } = stage
    const [word, id] = ['zqplantedqz', '0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3']
    secrets.add('planted word', word, 'somebody')
    secrets.add('planted id', id, 'somebody')
    const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
    for (const text of [
      `x${word.toUpperCase()}x`,
      id.toUpperCase(),
      id.replaceAll('-', ''),
      Buffer.from(JSON.stringify({ word })).toString('base64'),
      `next=${Buffer.from(id).toString('base64url')}&`,
      bytes.toString('base64url'),
    ]) {
      assert.equal(secrets.leaks('nobody', 'a text', text).length, 1, text)
      assert.deepEqual(secrets.leaks('somebody', 'a text', text), [])
    }
    assert.deepEqual(secrets.leaks('nobody', 'a text', `${word.slice(1)} ${id.slice(1)}`), [])
  })
})
