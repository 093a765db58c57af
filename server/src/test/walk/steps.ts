import assert from 'node:assert/strict'
import sharp from 'sharp'
import { MESSAGE_REASONS } from '#contract/messages.ts'
import type { TestResponse } from '../app.ts'
import { CIVIC } from '../disputes.ts'
import { uploadImage } from '../upload.ts'
import { closeStreams, newWord, openLiveStream, signInAgain, type Walker } from './people.ts'
import {
  newPlate,
  type Stage,
  spelledBy,
  type WalkBlock,
  type WalkMessage,
  type WalkVehicle,
  type World,
} from './world.ts'

// What the people and the admin do. Each step records in the model who may know what from then on; what the server then shows
// is compared with that.

const assertOk = ({ status, text }: TestResponse) => assert.ok(status < 300, `${status} ${text}`)

/** Returns the vehicle that gets the messages about a plate: the one its owner's list shows as live. */
async function liveVehicle(world: World, plateKey: string): Promise<WalkVehicle | undefined> {
  const live: WalkVehicle[] = []
  for (const vehicle of world.vehicles.filter((one) => one.plateKey === plateKey)) {
    const { body } = await vehicle.owner.calls.get('/api/vehicles?limit=100')
    const { status } = body.items.find(({ id }: { id: string }) => id === vehicle.id) ?? {}
    if (status === 'active' || status === 'verified') live.push(vehicle)
  }
  assert.ok(live.length <= 1, `${plateKey} is live twice`)
  return live[0]
}

export async function register({ secrets, admin }: Stage, world: World, who: Walker, plateKey = newPlate()) {
  const plate = spelledBy(world.people.indexOf(who), plateKey)
  // a person in front of a car knows its plate; how others write it is theirs
  secrets.add('plate', plateKey, who.key, admin.key)
  secrets.add('spelling of a plate', plate, who.key, admin.key)
  const answer = await who.calls.post('/register-plate', { plate, ...CIVIC })
  if (answer.status >= 300) return
  const { id } = answer.body.vehicle
  secrets.add('vehicle id', id, who.key, admin.key)
  world.vehicles.push({ id, owner: who, drivers: [], plateKey, plate })
}

/** Records in the model who knows whom: those who share a vehicle read each other's names and addresses (decision 0098). */
function introduce({ secrets }: Stage, world: World) {
  for (const who of world.people) {
    for (const other of world.people.filter((one) => one !== who)) {
      const isShared = world.vehicles.some((one) => isOf(one, who) && isOf(one, other))
      for (const word of [who.words.email, who.words.name]) {
        if (isShared) secrets.tell(word, other.key)
        else secrets.forget(word, other.key)
      }
    }
  }
}

const isOf = ({ owner, drivers }: WalkVehicle, who: Walker) => owner === who || drivers.includes(who)

/** Takes out of a driver's visible set what they read as one of the people of a vehicle. */
function forgetVehicle({ secrets }: Stage, world: World, vehicle: WalkVehicle, driver: Walker) {
  vehicle.drivers = vehicle.drivers.filter((one) => one !== driver)
  secrets.forget(vehicle.id, driver.key)
  // another one of the same owner may have had the same plate
  const stillReads = world.vehicles.some((one) => one.plate === vehicle.plate && isOf(one, driver))
  if (!stillReads) secrets.forget(vehicle.plate, driver.key)
  for (const message of world.messages.filter((one) => one.vehicle === vehicle && one.readers.includes(driver))) {
    message.readers = message.readers.filter((one) => one !== driver)
    for (const value of message.shared) secrets.forget(value, driver.key)
  }
}

/** Joins a vehicle by a code of its owner. */
export async function joinVehicle(stage: Stage, world: World, vehicle: WalkVehicle, who: Walker) {
  const invited = await vehicle.owner.calls.post(`/api/vehicles/${vehicle.id}/invitations`)
  if (invited.status >= 300) return // only a live vehicle has drivers
  for (const value of [vehicle.id, vehicle.plate, vehicle.plateKey]) stage.secrets.tell(value, who.key)
  if (!isOf(vehicle, who)) vehicle.drivers.push(who)
  introduce(stage, world) // before anything is read
  await who.calls.post('/api/invitations/accept', { code: invited.body.code })
}

/** Ends the driving of a vehicle: the driver leaves, or the owner removes them. */
export async function endDriving(stage: Stage, world: World, vehicle: WalkVehicle, driver: Walker, byOwner: boolean) {
  const address = `/api/vehicles/${vehicle.id}/people`
  const { body } = await driver.calls.get(address)
  const { id } = body.items.find(({ is_me }: { is_me: boolean }) => is_me)
  assertOk(await (byOwner ? vehicle.owner : driver).calls.delete(`${address}/${id}`))
  forgetVehicle(stage, world, vehicle, driver)
  introduce(stage, world)
}

/** Makes one of the people of a vehicle its holder. */
export async function takeVehicle({ id }: WalkVehicle, who: Walker) {
  assertOk(await who.calls.put(`/api/vehicles/${id}/holder`, {}))
}

let photo: Promise<Buffer> | undefined

export async function send(
  { secrets }: Stage,
  world: World,
  from: Walker,
  { plateKey }: WalkVehicle,
  { withImage = false, reason = 0 } = {},
) {
  secrets.tell(plateKey, from.key)
  const shared: string[] = []
  let attachmentId: string | undefined
  if (withImage) {
    photo ??= sharp({ create: { width: 9, height: 9, channels: 3, background: '#789' } })
      .png()
      .toBuffer()
    const uploaded = await uploadImage(from.calls, await photo)
    assertOk(uploaded)
    attachmentId = uploaded.body.id as string
    const file: string = uploaded.body.url.split('/').at(-1).replace('.webp', '')
    secrets.add('image id', attachmentId, from.key)
    secrets.add('image name', file, from.key)
    shared.push(file)
  }
  const vehicle = await liveVehicle(world, plateKey)
  const content = newWord()
  const key = `${newWord()}-key`
  secrets.add('text of a message', content, from.key)
  secrets.add('idempotency key', key, from.key)
  const isBlocked = vehicle !== undefined && hasBlocked(world, vehicle.owner, from, 'messages')
  const drivers = isBlocked ? [] : (vehicle?.drivers ?? [])
  if (vehicle && !isBlocked) secrets.tell(content, vehicle.owner.key, ...drivers.map(({ key: reader }) => reader))
  const input = {
    plate: plateKey.toLowerCase(),
    content: `Hello ${content}`,
    ...(reason > 0 && { reason: MESSAGE_REASONS[reason % MESSAGE_REASONS.length] }),
    ...(attachmentId && { attachment_id: attachmentId }),
  }
  const answer = await from.calls.post('/api/messages', input, { 'idempotency-key': key })
  if (answer.status !== 201) return
  assert.ok(vehicle, `a message to ${plateKey} was accepted, and nobody is there to get it`)
  const { id } = answer.body
  const readers = [from.key, ...(isBlocked ? [] : [vehicle.owner.key]), ...drivers.map(({ key: reader }) => reader)]
  for (const value of [id, ...shared]) secrets.add('message id', value, ...readers)
  world.messageIds.push(id)
  if (isBlocked) return
  world.messages.push({
    id,
    sender: from,
    vehicle,
    readers: [...drivers],
    shared: [id, content, ...shared],
    replied: false,
    reported: false,
  })
}

const hasBlocked = ({ blocks }: World, by: Walker, who: Walker, what: WalkBlock['what']) =>
  blocks.some((block) => block.by === by && block.who === who && block.what === what)

/** Blocks the sender of a message, or the replies of its recipient. */
export async function block(world: World, { id, sender, vehicle }: WalkMessage, what: WalkBlock['what']) {
  const [by, who] = what === 'messages' ? [vehicle.owner, sender] : [sender, vehicle.owner]
  assertOk(await by.calls.post(`/api/messages/${id}/block`))
  world.blocks.push({ by, who, what })
}

export async function endBlocks(world: World, who: Walker) {
  for (const { id } of (await who.calls.get('/api/blocks?limit=100')).body.items)
    assertOk(await who.calls.delete(`/api/blocks/${id}`))
  world.blocks = world.blocks.filter(({ by }) => by !== who)
}

/** Reports a message with a note, which its author reads again in the export and nobody else anywhere. */
export async function report({ admin, secrets }: Stage, world: World, message: WalkMessage) {
  const note = newWord()
  const { owner } = message.vehicle
  secrets.add('note to the moderators', note, owner.key)
  const answer = await owner.calls.post(`/api/messages/${message.id}/report`, {
    reason: 'harassment',
    note: `Again ${note}`,
  })
  assert.equal(answer.status, message.reported ? 409 : 201, answer.text)
  message.reported = true
  const { items } = (await admin.calls.get('/api/admin/reports?limit=100')).body
  world.subjectIds = items.map(({ subject_id }: { subject_id: string }) => subject_id)
}

/** Answers a message, as the owner of the vehicle or as one of its drivers. */
export async function reply({ secrets }: Stage, world: World, message: WalkMessage, by = message.vehicle.owner) {
  const word = newWord()
  const { sender, vehicle, readers } = message
  const isBlocked = [vehicle.owner, by].some((one) => hasBlocked(world, sender, one, 'replies'))
  const told = [vehicle.owner, ...readers, ...(isBlocked ? [] : [sender])]
  secrets.add('text of a reply', word, ...told.map(({ key }) => key))
  const answer = await by.calls.post(`/api/messages/${message.id}/reply`, { reply: `Thanks ${word}` })
  assert.equal(answer.status, message.replied ? 409 : 200, answer.text)
  if (!message.replied) message.shared.push(word)
  message.replied = true
}

export async function markRead(message: WalkMessage, isRead: boolean) {
  assertOk(await message.vehicle.owner.calls.patch(`/api/messages/${message.id}`, { is_read: isRead }))
}

/** Finds the vehicles that were deleted, by anybody: with them go the messages they received. */
export async function forgetGone(stage: Stage, world: World) {
  const { secrets } = stage
  const lists = await Promise.all(
    [...new Set(world.vehicles.map(({ owner }) => owner))].map((owner) => owner.calls.get('/api/vehicles?limit=100')),
  )
  const present = new Set(lists.flatMap(({ body }) => (body.items as { id: string }[]).map(({ id }) => id)))
  const gone = world.vehicles.filter(({ id }) => !present.has(id))
  for (const { id, shared, vehicle, reported } of world.messages.filter((one) => gone.includes(one.vehicle)))
    for (const value of shared) if (!(reported && value === id)) secrets.forget(value, vehicle.owner.key)
  for (const vehicle of gone) for (const driver of vehicle.drivers) forgetVehicle(stage, world, vehicle, driver)
  world.vehicles = world.vehicles.filter((vehicle) => !gone.includes(vehicle))
  world.messages = world.messages.filter(({ vehicle }) => !gone.includes(vehicle))
  if (gone.length > 0) introduce(stage, world)
}

export async function removeVehicle(vehicle: WalkVehicle) {
  assertOk(await vehicle.owner.calls.delete(`/api/vehicles/${vehicle.id}`))
}

/** Deletes an account, by its owner or by an admin; the person signs up again as somebody nobody knows. */
export async function leaveAndReturn(stage: Stage, world: World, who: Walker, byAdmin: boolean) {
  const { admin, secrets, signUp } = stage
  await closeStreams(who)
  const deleter = byAdmin ? admin : who
  assertOk(await deleter.calls.post('/functions/v1/delete-user', { id: who.id }))
  for (const word of [who.words.email, who.words.name])
    for (const { key } of [admin, ...world.people.filter((one) => one !== who)]) secrets.forget(word, key)
  for (const vehicle of world.vehicles) {
    if (vehicle.owner === who) for (const driver of vehicle.drivers) forgetVehicle(stage, world, vehicle, driver)
    else if (vehicle.drivers.includes(who)) forgetVehicle(stage, world, vehicle, who)
  }
  world.vehicles = world.vehicles.filter(({ owner }) => owner !== who)
  world.messages = world.messages.filter(({ vehicle, sender }) => vehicle.owner !== who && sender !== who)
  world.people[world.people.indexOf(who)] = await signUp()
  introduce(stage, world)
}

export async function changePreferences(who: Walker, input: { locale: string; email_message_text: boolean }) {
  assertOk(await who.calls.patch('/api/preferences', input))
}

/** Switches notifications on this session's device on, or off again. */
export async function toggleDevice({ service, secrets }: Stage, who: Walker, showText: boolean) {
  const [current] = who.browsers
  if (current) {
    await who.calls.delete(`/api/push/subscriptions?endpoint=${encodeURIComponent(current.endpoint)}`)
    who.browsers = []
    return
  }
  const browser = service.browser()
  secrets.add('address of a device', browser.endpoint.split('/').at(-1)!, who.key)
  secrets.add('secret of a device', browser.keys.auth, who.key)
  const { endpoint, keys } = browser
  assertOk(await who.calls.post('/api/push/subscriptions', { endpoint, keys }))
  assertOk(await who.calls.patch('/api/push', { message_text: showText }))
  who.browsers = [browser]
}

export async function toggleStream({ app }: Stage, who: Walker) {
  if (who.streams.length > 0) await closeStreams(who)
  else await openLiveStream(app, who)
}

export async function newSession(stage: Stage, who: Walker) {
  await signInAgain(stage, who)
  who.browsers = []
}

export async function contact({ secrets }: Stage, who: Walker) {
  const word = newWord()
  secrets.add('text to the support team', word, who.key, 'support')
  secrets.tell(who.words.email, 'support')
  secrets.tell(who.words.name, 'support')
  const form = { name: who.words.name, email: who.email, subject: 'general-inquiry', message: `A question ${word}` }
  assertOk(await who.calls.post('/send-email', { type: 'contact', ...form }))
}

export async function askForLink(who: Walker, call: 'recover' | 'otp') {
  assertOk(await who.calls.post(`/auth/v1/${call}`, { email: who.email, create_user: false }))
}

/** Tries with somebody else's things what only they may do. */
export async function pry({ admin }: Stage, world: World, who: Walker) {
  const attempts = [
    ...world.messages
      .filter(({ vehicle, readers }) => vehicle.owner !== who && !readers.includes(who))
      .flatMap(({ id }) => [
        who.calls.patch(`/api/messages/${id}`, { is_read: true }),
        who.calls.post(`/api/messages/${id}/reply`, { reply: 'Mine now' }),
      ]),
    ...world.messages
      .filter(({ vehicle, readers, sender }) => vehicle.owner !== who && !readers.includes(who) && sender !== who)
      .flatMap(({ id }) => [
        who.calls.post(`/api/messages/${id}/block`),
        who.calls.post(`/api/messages/${id}/report`, { reason: 'spam' }),
      ]),
    ...world.vehicles
      .filter(({ owner }) => owner !== who)
      .flatMap(({ id }) => [
        who.calls.delete(`/api/vehicles/${id}`),
        who.calls.post(`/api/vehicles/${id}/invitations`),
        who.calls.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Mine now' }),
      ]),
    ...world.vehicles
      .filter((vehicle) => !isOf(vehicle, who))
      .flatMap(({ id }) => [
        who.calls.put(`/api/vehicles/${id}/holder`, {}),
        who.calls.delete(`/api/vehicles/${id}/people/${id}`),
      ]),
    ...[...world.people, admin]
      .filter((other) => other !== who)
      .map(({ id }) => who.calls.post('/functions/v1/delete-user', { id })),
    who.calls.post('/rest/v1/rpc/get_users', {}),
    who.calls.get('/api/admin/vehicles'),
    who.calls.get('/api/admin/audit-log'),
  ]
  for (const { status, text } of await Promise.all(attempts)) assert.ok(status >= 400, `${status} ${text}`)
}

export async function decide(
  { admin, secrets }: Stage,
  vehicle: WalkVehicle,
  decision: 'approve' | 'reject' | 'delete',
) {
  const address = `/api/admin/vehicles/${vehicle.id}`
  if (decision === 'approve') await admin.calls.post(`${address}/approve`)
  if (decision === 'delete') await admin.calls.delete(address)
  if (decision !== 'reject') return
  const reason = newWord()
  secrets.add('reason of a rejection', reason, admin.key, vehicle.owner.key)
  await admin.calls.post(`${address}/reject`, { reason: `Not readable ${reason}` })
}
