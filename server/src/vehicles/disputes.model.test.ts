import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { documentsAddress } from '../disputes/reply-address.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { type Person, type TestResponse, testApp } from '../test/app.ts'
import { type Challenge, DisputeModel, USER_COUNT, type Vehicle } from '../test/dispute-model.ts'
import { CIVIC, createAdmin, createUsers, expireDocumentsDueDate, openChallenges } from '../test/disputes.ts'
import { deliver, INBOUND, writeMail } from '../test/documents.ts'
import { runsAll } from '../test/runs-all.ts'
import { pdfWith, uploadDocument } from '../test/upload.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

// Five people and three plates: whatever they, the admins and the calendar do, the server and a small model agree after
// every step. A failure prints the seed and path of the run, which reproduce it.

const PLATES = 3
const RUNS = runsAll ? 100 : 2

const app = await testApp({ settings: { ...INBOUND, ROLE: 'web' } }) // no jobs run: overdue disputes are settled by the test, and queued emails stay to be counted
after(() => app.close())
const adminUser = await createAdmin(app)

type TestWorld = { users: Person[]; plates: string[] }
let worlds = 0

const setUp = async (): Promise<{ model: DisputeModel; real: TestWorld }> => {
  const world = ++worlds
  const users = await createUsers(app, USER_COUNT)
  const plates = Array.from({ length: PLATES }, (_, i) => `W${world}P${i}`)
  return { model: new DisputeModel(), real: { users, plates } }
}

let steps = 0

/** Asserts that what everybody sees is what the model says. */
async function assertAgreement(model: DisputeModel, { users, plates }: TestWorld): Promise<void> {
  steps++
  const shown = await Promise.all(
    users.map(async (who) => {
      const vehicles = (await who.get('/api/vehicles?limit=100')).body.items
      const notices = (await who.get('/api/notifications?limit=100')).body.items
      return {
        vehicles: vehicles
          .map((v: { id: string; status: string; dispute: { role: string } | null }) =>
            [v.id, v.status, v.dispute?.role ?? null].join(' '),
          )
          .sort(),
        notices: notices
          .map((n: { type: string; data: { plate: string } }) => `${n.type} ${plates.indexOf(n.data.plate)}`)
          .reverse(),
      }
    }),
  )
  const expected = users.map((_, owner) => ({
    vehicles: model.vehicles
      .filter((vehicle) => vehicle.owner === owner)
      .map((vehicle) => [vehicle.id, vehicle.status, model.roleOf(vehicle)].join(' '))
      .sort(),
    notices: model.notifications[owner],
  }))
  assert.deepEqual(shown, expected)

  const queued = await app.db<{ recipient_id: string; kind: string }[]>`
    select recipient_id, concat_ws(' ', kind, data->>'settlement') as kind from outbox
    where recipient_id = any(${users.map(({ id }) => id)}::uuid[])`
  assert.deepEqual(
    users.map(({ id }) =>
      queued
        .filter((row) => row.recipient_id === id)
        .map(({ kind }) => kind)
        .toSorted(),
    ),
    model.mails.map((kinds) => kinds.toSorted()),
  )

  const documents = await app.db<{ vehicle_id: string; count: number }[]>`
    select vehicle_id, count(*)::int as count from dispute_documents
    where vehicle_id = any(${model.vehicles.map(({ id }) => id)}::uuid[]) group by vehicle_id`
  assert.deepEqual(
    new Map(documents.map((row) => [row.vehicle_id, row.count])),
    new Map(model.vehicles.filter(({ uploads }) => uploads > 0).map(({ id, uploads }) => [id, uploads])),
  )

  for (const plate of plates.keys()) {
    const registered = model.holdersOf(plate)
    assert.ok(registered.filter(({ status }) => status === 'active' || status === 'verified').length <= 1)
    const challenges = await openChallenges(app, plates[plate]!)
    assert.equal(challenges.length, Math.max(0, registered.length - 1))
    const received = challenges.filter((row) => row.documents_received_at !== null)
    assert.deepEqual(
      received.map((row) => row.challenger_vehicle_id).sort(),
      model.challenges
        .filter((c) => c.received && c.challenger.plate === plate)
        .map((c) => c.challenger.id)
        .sort(),
    )
  }
}

const assertResponse = (response: TestResponse, code: string | undefined, status: number) => {
  assert.equal(response.body?.code, code, response.text)
  if (!code) assert.equal(response.status, status, response.text)
}

type Step = (model: DisputeModel, world: TestWorld) => Promise<void> | undefined

class Command implements fc.AsyncCommand<DisputeModel, TestWorld> {
  readonly name: string
  readonly step: Step
  constructor(name: string, step: Step) {
    this.name = name
    this.step = step
  }
  check = () => true
  async run(model: DisputeModel, world: TestWorld) {
    const done = this.step(model, world)
    if (!done) return // there is nothing to apply it to
    await done
    await assertAgreement(model, world)
  }
  toString = () => this.name
}

const person = fc.nat(USER_COUNT - 1)
// most choose the first plate: disputes with many sides are the hard cases
const plateNumber = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(PLATES - 1) })
const nth = fc.nat(99)
const pickNth = <T>(list: T[], n: number): T | undefined => list[n % list.length]

/** Creates a step that is applied to the nth vehicle. */
const toVehicle =
  (name: string, act: (vehicle: Vehicle, model: DisputeModel, world: TestWorld) => Promise<void>) => (n: number) =>
    new Command(`${name} vehicle ${n}`, (model, world) => {
      const vehicle = pickNth(model.vehicles, n)
      return vehicle && act(vehicle, model, world)
    })

/** Creates a step that is applied to the nth challenge; `id` is the row's. */
const toChallenge =
  (name: string, act: (challenge: Challenge, id: string, model: DisputeModel) => Promise<void>) => (n: number) =>
    new Command(`${name} challenge ${n}`, (model, world) => {
      const challenge = pickNth(model.challenges, n)
      return challenge && idOf(challenge, world).then((id) => act(challenge, id, model))
    })

const idOf = async ({ challenger }: Challenge, { plates }: TestWorld): Promise<string> => {
  const rows = await openChallenges(app, plates[challenger.plate]!)
  return rows.find((row) => row.challenger_vehicle_id === challenger.id)!.id
}

const does = {
  register: (owner: number, plate = 0) =>
    new Command(`person ${owner} registers plate ${plate}`, async (model, { users, plates }) => {
      const response = await users[owner]!.post('/register-plate', { plate: plates[plate], ...CIVIC })
      const { code, status, vehicle } = model.register(owner, plate)
      assertResponse(response, code, 200)
      assert.equal(response.body.status, status)
      if (vehicle) vehicle.id = response.body.vehicle.id
    }),
  withdraw: toVehicle('its owner removes', async (vehicle, model, { users }) => {
    assertResponse(await users[vehicle.owner]!.delete(`/api/vehicles/${vehicle.id}`), undefined, 204)
    model.remove(vehicle)
  }),
  approve: toVehicle('an admin approves', async (vehicle, model) => {
    const response = await adminUser.post(`/api/admin/vehicles/${vehicle.id}/approve`)
    const { code, deleted } = model.approve(vehicle)
    assertResponse(response, code, 200)
    assert.equal(response.body.deleted_peers, deleted)
  }),
  reject: toVehicle('an admin rejects', async (vehicle, model) => {
    const response = await adminUser.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: 'Not readable' })
    const already = vehicle.status === 'rejected'
    assertResponse(response, already ? 'already_rejected' : undefined, 200)
    if (!already) model.reject(vehicle)
  }),
  remove: toVehicle('an admin removes', async (vehicle, model) => {
    assertResponse(await adminUser.delete(`/api/admin/vehicles/${vehicle.id}`), undefined, 204)
    model.remove(vehicle)
    model.notifyOwner(vehicle, 'vehicle_deleted', false)
  }),
  upload: toVehicle('its owner uploads a document for', async (vehicle, model, { users }) => {
    const response = await uploadDocument(users[vehicle.owner]!, vehicle.id, pdfWith('a licence'))
    assertResponse(response, model.upload(vehicle), 201)
  }),
  takeBack: toVehicle('its owner takes a document back for', async (vehicle, model, { users }) => {
    const owner = users[vehicle.owner]!
    const [document] = (await owner.get(`/api/vehicles/${vehicle.id}/documents`)).body.items
    assert.equal(document !== undefined, vehicle.uploads > 0)
    if (!document) return
    assertResponse(await owner.delete(`/api/documents/${document.id}`), undefined, 204)
    model.takeBack(vehicle)
  }),
  mail: toVehicle('its owner replies by email about', async (vehicle, model) => {
    const to = documentsAddress(app.config, app.context.keyring, vehicle.id)!
    assertResponse(await deliver(app, writeMail({ to })), undefined, 202)
    model.receiveMail(vehicle)
  }),
  mark: toChallenge('documents came for', (challenge, id, model) => markReceived(challenge, id, model, true)),
  unmark: toChallenge('documents did not come for', (challenge, id, model) =>
    markReceived(challenge, id, model, false),
  ),
  passDate: toChallenge('the date passes of', async (challenge, id) => {
    await expireDocumentsDueDate(app, [id])
    challenge.due = true
  }),
  runJob: () =>
    new Command('the scheduled job runs', async (model) => {
      await settleOverdueDisputes(app.context)
      for (const { challenger } of model.challenges.filter((c) => c.due && !c.received)) model.reject(challenger)
    }),
  leaveAndReturn: (owner: number) =>
    new Command(`person ${owner} leaves and comes back`, async (model, { users }) => {
      const { id, email } = users[owner]!
      assertResponse(await users[owner]!.post('/functions/v1/delete-user', { id }), undefined, 200)
      users[owner] = await app.user({ email })
      model.deleteAccount(owner)
    }),
  passNinetyDays: () =>
    new Command('ninety days pass', async (model, { users, plates }) => {
      // the challenges of an account that was deleted are still those of its person
      for (const { email } of users)
        await app.db`
          update challenges_started set created_at = created_at - interval '91 days'
          where person_hash = ${hashPerson(app.context.keyring, email)}`
      await app.db`
        update vehicles set challenge_survived_at = challenge_survived_at - interval '91 days'
        where plate = any(${plates}::text[])`
      model.forget()
    }),
}

async function markReceived(challenge: Challenge, id: string, model: DisputeModel, received: boolean) {
  const response = await adminUser.patch(`/api/admin/disputes/${id}`, { documents_received: received })
  assertResponse(response, model.mark(challenge, received), 200)
}

const registering = fc.tuple(person, plateNumber).map(([owner, plate]) => does.register(owner, plate))
const commands = [
  // as often as all others together: only registered plates can be disputed
  ...Array.from({ length: 12 }, () => registering),
  ...[does.withdraw, does.approve, does.reject, does.remove, does.upload, does.takeBack, does.mail].map((step) =>
    nth.map(step),
  ),
  ...[does.mark, does.unmark, does.passDate, does.passDate].map((step) => nth.map(step)),
  fc.constant(does.runJob()),
  person.map(does.leaveAndReturn),
  fc.constant(does.passNinetyDays()),
]

/** Cases that chance seldom meets. Vehicles and challenges are numbered in their order at that moment. */
const cases: Record<string, Command[]> = {
  'of two challengers one withdraws, then the other': [
    ...[does.register(0), does.register(1), does.register(2), does.withdraw(1), does.withdraw(1)],
  ],
  'the owner leaves three challengers: the oldest is the incumbent, and gains the plate when the others leave': [
    ...[does.register(0), does.register(1), does.register(2), does.register(3), does.remove(0)],
    ...[does.withdraw(1), does.withdraw(1)],
  ],
  'the oldest challenger, who has the plate after the owner, is approved': [
    ...[does.register(0), does.register(1), does.register(2), does.leaveAndReturn(0), does.approve(0)],
  ],
  'a verified vehicle stays live beside a challenge, and its challenger gets the plate when it is rejected': [
    ...[does.register(0), does.approve(0), does.register(1), does.reject(0)],
  ],
  'the challenger of a verified vehicle is approved, and another one whose challenge had paused nothing is deleted': [
    ...[does.register(0), does.approve(0), does.register(1), does.register(2), does.approve(1)],
  ],
  'a plate that survived a challenge is not paused by the next, and is again after ninety days': [
    ...[does.register(0), does.register(1), does.reject(1), does.register(2), does.passNinetyDays()],
    ...[does.register(3), does.withdraw(3), does.withdraw(2)],
  ],
  'one who took the owner’s place is live for the first time while another challenge waits, and then has it as anybody':
    [
      ...[does.register(0), does.register(1), does.register(2), does.register(3), does.withdraw(0), does.withdraw(1)],
      ...[
        does.register(4),
        does.withdraw(1),
        does.passNinetyDays(),
        does.register(2),
        does.withdraw(2),
        does.withdraw(1),
      ],
    ],
  'a verified vehicle stays when its only challenger leaves': [
    ...[does.register(0), does.approve(0), does.register(1), does.leaveAndReturn(1)],
  ],
  'a rejected vehicle is not approved over a live one, and is over one that a challenge pauses': [
    ...[does.register(0), does.reject(0), does.register(1), does.approve(0), does.register(2), does.approve(0)],
  ],
  'a rejected vehicle is not approved over a verified one that somebody challenges': [
    ...[does.register(0), does.reject(0), does.register(1), does.approve(1), does.register(2), does.approve(0)],
  ],
  'of two overdue challengers one has sent documents, and takes them back': [
    ...[does.register(0), does.register(1), does.register(2), does.upload(2), does.upload(0)],
    ...[does.passDate(0), does.passDate(1), does.runJob(), does.unmark(0), does.takeBack(2), does.runJob()],
  ],
  'a document, a reply and a note of an admin each count by themselves': [
    ...[does.register(0), does.register(1), does.upload(1), does.mail(1), does.takeBack(1), does.unmark(0)],
    ...[does.mark(0), does.upload(1), does.upload(1), does.upload(1), does.takeBack(1), does.takeBack(1)],
    ...[does.passDate(0), does.runJob(), does.unmark(0), does.runJob()],
  ],
  'a fourth challenge within ninety days, after the account was left too': [
    ...[does.register(0), does.register(1), does.withdraw(1), does.register(1), does.leaveAndReturn(1)],
    ...[does.register(1), does.reject(1), does.register(1), does.passNinetyDays(), does.register(1)],
  ],
}
for (const [name, steps] of Object.entries(cases)) test(name, () => fc.asyncModelRun(setUp, steps))

test('whatever happens to plates, the server and the model agree after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), (steps) =>
      fc.asyncModelRun(setUp, steps),
    ),
    { seed: 4, numRuns: RUNS },
  )
  assert.ok(steps > 0)
})
