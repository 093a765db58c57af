import assert from 'node:assert/strict'
import { MESSAGE_REASONS } from '#contract/messages.ts'
import type { TestResponse } from '../app.ts'
import { CIVIC } from '../disputes.ts'
import { drawPng, uploadImage } from '../upload.ts'
import {
  type Harness,
  type Model,
  type ModelBlock,
  type ModelMessage,
  type ModelVehicle,
  newPlate,
  spelledBy,
} from './model.ts'
import { closeStreams, type ModelPerson, newUniqueWord, openLiveStream, signInAgain } from './people.ts'

// What the people and the admin do. Each step records in the model who may know what from then on; what the server then shows
// is compared with that.

const assertOk = ({ status, text }: TestResponse) => assert.ok(status < 300, `${status} ${text}`)

/** Returns the vehicle that gets the messages about a plate: the one its owner's list shows as live. */
async function liveVehicle(model: Model, plateKey: string): Promise<ModelVehicle | undefined> {
  const live: ModelVehicle[] = []
  for (const vehicle of model.vehicles.filter((one) => one.plateKey === plateKey)) {
    const { body } = await vehicle.owner.calls.get('/api/vehicles?limit=100')
    const { status } = body.items.find(({ id }: { id: string }) => id === vehicle.id) ?? {}
    if (status === 'active' || status === 'verified') live.push(vehicle)
  }
  assert.ok(live.length <= 1, `${plateKey} is live twice`)
  return live[0]
}

export async function register({ secrets, admin }: Harness, model: Model, who: ModelPerson, plateKey = newPlate()) {
  const plate = spelledBy(model.people.indexOf(who), plateKey)
  // a person in front of a car knows its plate; how others write it is theirs
  secrets.add('plate', plateKey, who.key, admin.key)
  secrets.add('spelling of a plate', plate, who.key, admin.key)
  const response = await who.calls.post('/register-plate', { plate, ...CIVIC })
  if (response.status >= 300) return
  const { id } = response.body.vehicle
  secrets.add('vehicle id', id, who.key, admin.key)
  model.vehicles.push({ id, owner: who, drivers: [], plateKey, plate })
}

/** Records in the model who knows whom: those who share a vehicle read each other's names and addresses (decision vehicle-people). */
function introduce({ secrets }: Harness, model: Model) {
  for (const who of model.people) {
    for (const other of model.people.filter((one) => one !== who)) {
      const isShared = model.vehicles.some((one) => isOf(one, who) && isOf(one, other))
      for (const word of [who.words.email, who.words.name]) {
        if (isShared) secrets.reveal(word, other.key)
        else secrets.hide(word, other.key)
      }
    }
  }
}

const isOf = ({ owner, drivers }: ModelVehicle, who: ModelPerson) => owner === who || drivers.includes(who)

/** Takes out of a driver's visible set what they read as one of the people of a vehicle. */
function hideVehicle({ secrets }: Harness, model: Model, vehicle: ModelVehicle, driver: ModelPerson) {
  vehicle.drivers = vehicle.drivers.filter((one) => one !== driver)
  secrets.hide(vehicle.id, driver.key)
  // another one of the same owner may have had the same plate
  const stillReads = model.vehicles.some((one) => one.plate === vehicle.plate && isOf(one, driver))
  if (!stillReads) secrets.hide(vehicle.plate, driver.key)
  for (const message of model.messages.filter((one) => one.vehicle === vehicle && one.readers.includes(driver))) {
    message.readers = message.readers.filter((one) => one !== driver)
    for (const value of message.shared) secrets.hide(value, driver.key)
  }
}

/** Joins a vehicle by a code of its owner. */
export async function joinVehicle(harness: Harness, model: Model, vehicle: ModelVehicle, who: ModelPerson) {
  const invited = await vehicle.owner.calls.post(`/api/vehicles/${vehicle.id}/invitations`)
  if (invited.status >= 300) return // only a live vehicle has drivers
  for (const value of [vehicle.id, vehicle.plate, vehicle.plateKey]) harness.secrets.reveal(value, who.key)
  if (!isOf(vehicle, who)) vehicle.drivers.push(who)
  introduce(harness, model) // before anything is read
  await who.calls.post('/api/invitations/accept', { code: invited.body.code })
}

/** Ends the driving of a vehicle: the driver leaves, or the owner removes them. */
export async function endDriving(
  harness: Harness,
  model: Model,
  vehicle: ModelVehicle,
  driver: ModelPerson,
  byOwner: boolean,
) {
  const address = `/api/vehicles/${vehicle.id}/people`
  const { body } = await driver.calls.get(address)
  const { id } = body.items.find(({ is_me }: { is_me: boolean }) => is_me)
  assertOk(await (byOwner ? vehicle.owner : driver).calls.delete(`${address}/${id}`))
  hideVehicle(harness, model, vehicle, driver)
  introduce(harness, model)
}

/** Makes one of the people of a vehicle its holder. */
export async function takeVehicle({ id }: ModelVehicle, who: ModelPerson) {
  assertOk(await who.calls.put(`/api/vehicles/${id}/holder`, {}))
}

let photo: Promise<Buffer> | undefined

export async function send(
  { secrets }: Harness,
  model: Model,
  from: ModelPerson,
  { plateKey }: ModelVehicle,
  { withImage = false, reason = 0 } = {},
) {
  secrets.reveal(plateKey, from.key)
  const shared: string[] = []
  let attachmentId: string | undefined
  if (withImage) {
    photo ??= drawPng()
    const uploaded = await uploadImage(from.calls, await photo)
    assertOk(uploaded)
    attachmentId = uploaded.body.id as string
    const file: string = uploaded.body.url.split('/').at(-1).replace('.webp', '')
    secrets.add('image id', attachmentId, from.key)
    secrets.add('image name', file, from.key)
    shared.push(file)
  }
  const vehicle = await liveVehicle(model, plateKey)
  const content = newUniqueWord()
  const key = `${newUniqueWord()}-key`
  secrets.add('text of a message', content, from.key)
  secrets.add('idempotency key', key, from.key)
  const isBlocked = vehicle !== undefined && hasBlocked(model, vehicle.owner, from, 'messages')
  const drivers = isBlocked ? [] : (vehicle?.drivers ?? [])
  if (vehicle && !isBlocked) secrets.reveal(content, vehicle.owner.key, ...drivers.map(({ key: reader }) => reader))
  const input = {
    plate: plateKey.toLowerCase(),
    content: `Hello ${content}`,
    ...(reason > 0 && { reason: MESSAGE_REASONS[reason % MESSAGE_REASONS.length] }),
    ...(attachmentId && { attachment_id: attachmentId }),
  }
  const response = await from.calls.post('/api/messages', input, { 'idempotency-key': key })
  if (response.status !== 201) return
  assert.ok(vehicle, `a message to ${plateKey} was accepted, and nobody is there to get it`)
  const { id } = response.body
  const readers = [from.key, ...(isBlocked ? [] : [vehicle.owner.key]), ...drivers.map(({ key: reader }) => reader)]
  for (const value of [id, ...shared]) secrets.add('message id', value, ...readers)
  model.messageIds.push(id)
  if (isBlocked) return
  model.messages.push({
    id,
    sender: from,
    vehicle,
    readers: [...drivers],
    shared: [id, content, ...shared],
    replied: false,
    reported: false,
  })
}

const hasBlocked = ({ blocks }: Model, by: ModelPerson, who: ModelPerson, what: ModelBlock['what']) =>
  blocks.some((block) => block.by === by && block.who === who && block.what === what)

/** Blocks the sender of a message, or the replies of its recipient. */
export async function block(model: Model, { id, sender, vehicle }: ModelMessage, what: ModelBlock['what']) {
  const [by, who] = what === 'messages' ? [vehicle.owner, sender] : [sender, vehicle.owner]
  assertOk(await by.calls.post(`/api/messages/${id}/block`))
  model.blocks.push({ by, who, what })
}

export async function endBlocks(model: Model, who: ModelPerson) {
  for (const { id } of (await who.calls.get('/api/blocks?limit=100')).body.items)
    assertOk(await who.calls.delete(`/api/blocks/${id}`))
  model.blocks = model.blocks.filter(({ by }) => by !== who)
}

/** Reports a message with a note, which its author reads again in the export and nobody else anywhere. */
export async function report({ admin, secrets }: Harness, model: Model, message: ModelMessage) {
  const note = newUniqueWord()
  const { owner } = message.vehicle
  secrets.add('note to the moderators', note, owner.key)
  const response = await owner.calls.post(`/api/messages/${message.id}/report`, {
    reason: 'harassment',
    note: `Again ${note}`,
  })
  assert.equal(response.status, message.reported ? 409 : 201, response.text)
  message.reported = true
  const { items } = (await admin.calls.get('/api/admin/inbox?kind=report&limit=100')).body
  model.subjectIds = items.map(({ subject_id }: { subject_id: string }) => subject_id)
}

/** Answers a message, as the owner of the vehicle or as one of its drivers. */
export async function reply({ secrets }: Harness, model: Model, message: ModelMessage, by = message.vehicle.owner) {
  const word = newUniqueWord()
  const { sender, vehicle, readers } = message
  const isBlocked = [vehicle.owner, by].some((one) => hasBlocked(model, sender, one, 'replies'))
  const told = [vehicle.owner, ...readers, ...(isBlocked ? [] : [sender])]
  secrets.add('text of a reply', word, ...told.map(({ key }) => key))
  const response = await by.calls.post(`/api/messages/${message.id}/reply`, { reply: `Thanks ${word}` })
  assert.equal(response.status, message.replied ? 409 : 200, response.text)
  if (!message.replied) message.shared.push(word)
  message.replied = true
}

export async function markRead(message: ModelMessage, isRead: boolean) {
  assertOk(await message.vehicle.owner.calls.patch(`/api/messages/${message.id}`, { is_read: isRead }))
}

/** Finds the vehicles that were deleted, by anybody: with them go the messages they received. */
export async function dropDeleted(harness: Harness, model: Model) {
  const { secrets } = harness
  const lists = await Promise.all(
    [...new Set(model.vehicles.map(({ owner }) => owner))].map((owner) => owner.calls.get('/api/vehicles?limit=100')),
  )
  const present = new Set(lists.flatMap(({ body }) => (body.items as { id: string }[]).map(({ id }) => id)))
  const gone = model.vehicles.filter(({ id }) => !present.has(id))
  for (const { id, shared, vehicle, reported } of model.messages.filter((one) => gone.includes(one.vehicle)))
    for (const value of shared) if (!(reported && value === id)) secrets.hide(value, vehicle.owner.key)
  for (const vehicle of gone) for (const driver of vehicle.drivers) hideVehicle(harness, model, vehicle, driver)
  model.vehicles = model.vehicles.filter((vehicle) => !gone.includes(vehicle))
  model.messages = model.messages.filter(({ vehicle }) => !gone.includes(vehicle))
  if (gone.length > 0) introduce(harness, model)
}

export async function removeVehicle(vehicle: ModelVehicle) {
  assertOk(await vehicle.owner.calls.delete(`/api/vehicles/${vehicle.id}`))
}

/** Deletes an account, by its owner or by an admin; the person signs up again as somebody nobody knows. */
export async function leaveAndReturn(harness: Harness, model: Model, who: ModelPerson, byAdmin: boolean) {
  const { admin, secrets, signUp } = harness
  await closeStreams(who)
  const deleter = byAdmin ? admin : who
  assertOk(await deleter.calls.post('/functions/v1/delete-user', { id: who.id }))
  for (const word of [who.words.email, who.words.name])
    for (const { key } of [admin, ...model.people.filter((one) => one !== who)]) secrets.hide(word, key)
  for (const vehicle of model.vehicles) {
    if (vehicle.owner === who) for (const driver of vehicle.drivers) hideVehicle(harness, model, vehicle, driver)
    else if (vehicle.drivers.includes(who)) hideVehicle(harness, model, vehicle, who)
  }
  model.vehicles = model.vehicles.filter(({ owner }) => owner !== who)
  model.messages = model.messages.filter(({ vehicle, sender }) => vehicle.owner !== who && sender !== who)
  model.people[model.people.indexOf(who)] = await signUp()
  introduce(harness, model)
}

export async function changePreferences(who: ModelPerson, input: { locale: string; email_message_text: boolean }) {
  assertOk(await who.calls.patch('/api/preferences', input))
}

/** Switches notifications on this session's device on, or off again. */
export async function toggleDevice({ service, secrets }: Harness, who: ModelPerson, showText: boolean) {
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

export async function toggleStream({ app }: Harness, who: ModelPerson) {
  if (who.streams.length > 0) await closeStreams(who)
  else await openLiveStream(app, who)
}

export async function newSession(harness: Harness, who: ModelPerson) {
  await signInAgain(harness, who)
  who.browsers = []
}

export async function contact({ secrets }: Harness, who: ModelPerson) {
  const word = newUniqueWord()
  secrets.add('text to the support team', word, who.key, 'support')
  secrets.reveal(who.words.email, 'support')
  secrets.reveal(who.words.name, 'support')
  const form = { name: who.words.name, email: who.email, subject: 'general-inquiry', message: `A question ${word}` }
  assertOk(await who.calls.post('/send-email', { type: 'contact', ...form }))
}

export async function askForLink(who: ModelPerson, call: 'recover' | 'otp') {
  assertOk(await who.calls.post(`/auth/v1/${call}`, { email: who.email, create_user: false }))
}

/** Tries with somebody else's things what only they may do. */
export async function tryForbidden({ admin }: Harness, model: Model, who: ModelPerson) {
  const attempts = [
    ...model.messages
      .filter(({ vehicle, readers }) => vehicle.owner !== who && !readers.includes(who))
      .flatMap(({ id }) => [
        who.calls.patch(`/api/messages/${id}`, { is_read: true }),
        who.calls.post(`/api/messages/${id}/reply`, { reply: 'Mine now' }),
      ]),
    ...model.messages
      .filter(({ vehicle, readers, sender }) => vehicle.owner !== who && !readers.includes(who) && sender !== who)
      .flatMap(({ id }) => [
        who.calls.post(`/api/messages/${id}/block`),
        who.calls.post(`/api/messages/${id}/report`, { reason: 'spam' }),
      ]),
    ...model.vehicles
      .filter(({ owner }) => owner !== who)
      .flatMap(({ id }) => [
        who.calls.delete(`/api/vehicles/${id}`),
        who.calls.post(`/api/vehicles/${id}/invitations`),
        who.calls.post(`/api/admin/vehicles/${id}/reject`, { reason: 'Mine now' }),
      ]),
    ...model.vehicles
      .filter((vehicle) => !isOf(vehicle, who))
      .flatMap(({ id }) => [
        who.calls.put(`/api/vehicles/${id}/holder`, {}),
        who.calls.delete(`/api/vehicles/${id}/people/${id}`),
      ]),
    ...[...model.people, admin]
      .filter((other) => other !== who)
      .map(({ id }) => who.calls.post('/functions/v1/delete-user', { id })),
    who.calls.post('/rest/v1/rpc/get_users', {}),
    who.calls.get('/api/admin/vehicles'),
    who.calls.get('/api/admin/audit-log'),
  ]
  for (const { status, text } of await Promise.all(attempts)) assert.ok(status >= 400, `${status} ${text}`)
}

export async function decide(
  { admin, secrets }: Harness,
  vehicle: ModelVehicle,
  decision: 'approve' | 'reject' | 'delete',
) {
  const address = `/api/admin/vehicles/${vehicle.id}`
  if (decision === 'approve') await admin.calls.post(`${address}/approve`)
  if (decision === 'delete') await admin.calls.delete(address)
  if (decision !== 'reject') return
  const reason = newUniqueWord()
  secrets.add('reason of a rejection', reason, admin.key, vehicle.owner.key)
  await admin.calls.post(`${address}/reject`, { reason: `Not readable ${reason}` })
}
