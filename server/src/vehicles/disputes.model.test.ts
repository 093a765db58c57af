import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, type Person, testApp } from '../test/app.ts'
import { type Challenge, Model, PEOPLE, type Vehicle } from '../test/dispute-model.ts'
import { admin, CIVIC, challengesOf, letDatePass, people } from '../test/disputes.ts'
import { settleOverdue } from './settle-overdue.ts'

// Five people and three plates: whatever they, the admins and the calendar do, the server and a few lines of plain
// rules agree after every step. On a failure the seed and path of the run are printed, which repeat it.

const PLATES = 3
const WITHIN_MS = 10_000

const app = await testApp({ settings: { ROLE: 'web' } }) // no clock and no mails leave: their rows stay to be counted
let boss: Person
before(async () => {
  boss = await admin(app)
})
after(() => app.close())

type World = { crowd: Person[]; plates: string[] }
let worlds = 0

const setUp = async (): Promise<{ model: Model; real: World }> => {
  const world = ++worlds
  const crowd = await people(app, PEOPLE)
  const plates = Array.from({ length: PLATES }, (_, i) => `W${world}P${i}`)
  return { model: new Model(), real: { crowd, plates } }
}

let steps = 0

/** What everybody sees is what the model says. */
async function agree(model: Model, { crowd, plates }: World): Promise<void> {
  steps++
  const shown = await Promise.all(
    crowd.map(async (who) => {
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
  const wanted = crowd.map((_, owner) => ({
    vehicles: model.vehicles
      .filter((vehicle) => vehicle.owner === owner)
      .map((vehicle) => [vehicle.id, vehicle.status, model.roleOf(vehicle)].join(' '))
      .sort(),
    notices: model.notices[owner],
  }))
  assert.deepEqual(shown, wanted)

  const queued = await app.db<{ recipient_id: string; kind: string }[]>`
    select recipient_id, kind from outbox where recipient_id = any(${crowd.map(({ id }) => id)}::uuid[]) order by kind`
  assert.deepEqual(
    crowd.map(({ id }) => queued.filter((row) => row.recipient_id === id).map(({ kind }) => kind)),
    model.mails.map((kinds) => kinds.toSorted()),
  )

  for (const plate of plates.keys()) {
    const holders = model.on(plate)
    assert.ok(holders.filter(({ status }) => status === 'active' || status === 'verified').length <= 1)
    const challenges = await challengesOf(app, plates[plate]!)
    assert.equal(challenges.length, Math.max(0, holders.length - 1))
  }
}

const answered = (answer: Answer, code: string | undefined, status: number) => {
  assert.equal(answer.body?.code, code, answer.text)
  if (!code) assert.equal(answer.status, status, answer.text)
}

type Step = (model: Model, world: World) => Promise<void> | undefined

class Command implements fc.AsyncCommand<Model, World> {
  readonly name: string
  readonly step: Step
  constructor(name: string, step: Step) {
    this.name = name
    this.step = step
  }
  check = () => true
  async run(model: Model, world: World) {
    const done = this.step(model, world)
    if (!done) return // nothing there to do it to
    await done
    await agree(model, world)
  }
  toString = () => this.name
}

const person = fc.nat(PEOPLE - 1)
// most want the first plate: disputes of many sides are what is hard
const plateNumber = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(PLATES - 1) })
const nth = fc.nat(99)
const pick = <T>(list: T[], n: number): T | undefined => list[n % list.length]

/** A step that is done to some vehicle. */
const toVehicle = (name: string, act: (vehicle: Vehicle, model: Model, world: World) => Promise<void>) =>
  nth.map(
    (n) =>
      new Command(`${name} vehicle ${n}`, (model, world) => {
        const vehicle = pick(model.vehicles, n)
        return vehicle && act(vehicle, model, world)
      }),
  )

/** A step that is done to some challenge; `id` is the row's. */
const toChallenge = (name: string, act: (challenge: Challenge, id: string) => Promise<void>) =>
  nth.map(
    (n) =>
      new Command(`${name} challenge ${n}`, (model, world) => {
        const challenge = pick(model.challenges, n)
        return challenge && idOf(challenge, world).then((id) => act(challenge, id))
      }),
  )

const idOf = async ({ challenger }: Challenge, { plates }: World): Promise<string> => {
  const rows = await challengesOf(app, plates[challenger.plate]!)
  return rows.find((row) => row.challenger_vehicle_id === challenger.id)!.id
}

const registering = fc.tuple(person, plateNumber).map(
  ([owner, plate]) =>
    new Command(`person ${owner} registers plate ${plate}`, async (model, { crowd, plates }) => {
      const answer = await crowd[owner]!.post('/register-plate', { plate: plates[plate], ...CIVIC })
      const { code, status, vehicle } = model.register(owner, plate)
      answered(answer, code, 200)
      assert.equal(answer.body.status, status)
      if (vehicle) vehicle.id = answer.body.vehicle.id
    }),
)

const datePassing = toChallenge('the date passes of', async (challenge, id) => {
  await letDatePass(app, [id])
  challenge.due = true
})

const overdue = fc.constant(
  new Command('the clock ticks', async (model) => {
    await settleOverdue(app.parts)
    for (const { challenger } of model.challenges.filter((c) => c.due && !c.received)) model.reject(challenger)
  }),
)

const commands = [
  // as often as all the others: what is not registered is not disputed
  ...Array.from({ length: 12 }, () => registering),
  toVehicle('its owner removes', async (vehicle, model, { crowd }) => {
    answered(await crowd[vehicle.owner]!.delete(`/api/vehicles/${vehicle.id}`), undefined, 204)
    model.remove(vehicle)
  }),
  toVehicle('an admin approves', async (vehicle, model) => {
    const answer = await boss.post(`/api/admin/vehicles/${vehicle.id}/approve`)
    const { code, deleted } = model.approve(vehicle)
    answered(answer, code, 200)
    assert.equal(answer.body.deleted_peers, deleted)
  }),
  toVehicle('an admin rejects', async (vehicle, model) => {
    const answer = await boss.post(`/api/admin/vehicles/${vehicle.id}/reject`, { reason: 'Not readable' })
    const already = vehicle.status === 'rejected'
    answered(answer, already ? 'already_rejected' : undefined, 200)
    if (!already) model.reject(vehicle)
  }),
  toVehicle('an admin removes', async (vehicle, model) => {
    answered(await boss.delete(`/api/admin/vehicles/${vehicle.id}`), undefined, 204)
    model.remove(vehicle)
    model.tell(vehicle, 'vehicle_deleted', false)
  }),
  fc.boolean().chain((received) =>
    toChallenge(received ? 'documents came for' : 'documents did not come for', async (challenge, id) => {
      answered(await boss.patch(`/api/admin/disputes/${id}`, { documents_received: received }), undefined, 200)
      challenge.received = received
    }),
  ),
  datePassing,
  datePassing,
  overdue,
  person.map(
    (owner) =>
      new Command(`person ${owner} leaves and comes back`, async (model, { crowd }) => {
        const { id, email } = crowd[owner]!
        answered(await crowd[owner]!.post('/functions/v1/delete-user', { id }), undefined, 200)
        crowd[owner] = await app.user({ email })
        model.forget(owner)
      }),
  ),
  fc.constant(
    new Command('ninety days pass', async (model, { crowd }) => {
      await app.db`
        update challenges_started set created_at = created_at - interval '91 days'
        where user_id = any(${crowd.map(({ id }) => id)}::uuid[])`
      model.started.fill(0)
    }),
  ),
]

test('whatever happens to plates, the server and the rules agree after every step', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), (steps) =>
      fc.asyncModelRun(setUp, steps),
    ),
    { numRuns: 1000, interruptAfterTimeLimit: WITHIN_MS },
  )
  assert.ok(steps > 0)
})
