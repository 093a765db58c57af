import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sample } from '../../../../scripts/lib/sample.mjs'
import { MINUTE_MS, SECOND_MS } from '../../time.ts'
import type { Walker } from './people.ts'
import * as steps from './steps.ts'
import { openStage, PEOPLE, type WalkMessage, type WalkVehicle, type World } from './world.ts'

// Five people and an admin do whatever they like, and drive each other's vehicles. After every step everything each of them can get is read: all pages of all
// lists, the export, live events, emails, pushes. Nobody may find a text, a plate, a name, an address or an id that the model
// does not show them. The steps follow from TEST_SEED; a failure prints them.

const seed = Math.floor(sample.random('walk')() * 2 ** 31)
const WALKS = sample.rounds(12, 1)
const STEPS = 40
/** Takes no more steps after this time, however slow the machine is. */
const WITHIN_MS = sample.rounds(2 * MINUTE_MS, 12 * SECOND_MS)

const stage = await openStage()
after(() => stage.close())

type Act = (world: World) => Promise<void> | undefined

class Step {
  readonly name: string
  readonly #act: Act
  constructor(name: string, act: Act) {
    this.name = name
    this.#act = act
  }
  /** Takes the step and reads what everybody can get then. Returns false when there is nothing to do it with. */
  async take(world: World): Promise<boolean> {
    const done = this.#act(world)
    if (!done) return false
    await done
    await stage.settle(world)
    await steps.forgetGone(stage, world)
    assert.deepEqual(await stage.readEverything(world), [], this.name)
    return true
  }
  toString = () => this.name
}

const number = fc.nat(99)
const pick = <T>(list: T[], n: number): T | undefined => list[n % list.length]

/** Creates a step of some person. */
const person = (name: string, act: (who: Walker, world: World) => Promise<void> | undefined) =>
  fc.nat(PEOPLE - 1).map((n) => new Step(`person ${n} ${name}`, (world) => act(world.people[n]!, world)))
/** Creates a step with some vehicle, or with some message. */
const vehicle = (name: string, act: (one: WalkVehicle, world: World) => Promise<void> | undefined) =>
  number.map(
    (n) =>
      new Step(`${name} vehicle ${n}`, (world) => {
        const one = pick(world.vehicles, n)
        return one && act(one, world)
      }),
  )
const message = (name: string, act: (one: WalkMessage, world: World) => Promise<void>) =>
  number.map(
    (n) =>
      new Step(`${name} message ${n}`, (world) => {
        const one = pick(world.messages, n)
        return one && act(one, world)
      }),
  )

const registering = person('registers a new plate', (who, world) => steps.register(stage, world, who))
const contesting = fc
  .nat(1)
  .chain((n) =>
    person(`registers contested plate ${n}`, (who, world) => steps.register(stage, world, who, world.contested[n])),
  )
const sending = fc.tuple(number, fc.boolean(), fc.nat(9)).chain(([n, withImage, reason]) =>
  person(`sends to vehicle ${n}${withImage ? ' with a photo' : ''}`, (who, world) => {
    const to = pick(world.vehicles, n)
    return to && steps.send(stage, world, who, to, { withImage, reason })
  }),
)

/** Creates a step of a driver of some vehicle. */
const driver = (name: string, act: (who: Walker, one: WalkVehicle, world: World) => Promise<void>) =>
  number.map(
    (n) =>
      new Step(`driver ${n} ${name}`, (world) => {
        const all = world.vehicles.flatMap((one) => one.drivers.map((who) => ({ one, who })))
        const chosen = pick(all, n)
        return chosen && act(chosen.who, chosen.one, world)
      }),
  )
const joining = number.chain((n) =>
  person(`joins vehicle ${n}`, (who, world) => {
    const one = pick(world.vehicles, n)
    return one && steps.joinVehicle(stage, world, one, who)
  }),
)

const actions = [
  registering,
  registering,
  contesting,
  contesting,
  sending,
  sending,
  sending,
  sending,
  message('the owner answers', (one, world) => steps.reply(stage, world, one)),
  message('the owner answers', (one, world) => steps.reply(stage, world, one)),
  number.map(
    (n) =>
      new Step(`a driver answers message ${n}`, (world) => {
        const one = pick(
          world.messages.filter(({ readers }) => readers.length > 0),
          n,
        )
        return one && steps.reply(stage, world, one, one.readers[0])
      }),
  ),
  joining,
  joining,
  joining,
  driver('leaves', (who, one, world) => steps.endDriving(stage, world, one, who, false)),
  driver('is removed by the owner', (who, one, world) => steps.endDriving(stage, world, one, who, true)),
  driver('has the car', (who, one) => steps.takeVehicle(one, who)),
  message('the owner blocks the sender of', (one, world) => steps.block(world, one, 'messages')),
  message('the sender blocks replies by', (one, world) => steps.block(world, one, 'replies')),
  message('the owner reports', (one, world) => steps.report(stage, world, one)),
  person('unblocks everybody', (who, world) => steps.endBlocks(world, who)),
  message('the owner reads', (one) => steps.markRead(one, true)),
  person('switches notifications on the device', (who) => steps.toggleDevice(stage, who, true)),
  person('switches silent notifications on the device', (who) => steps.toggleDevice(stage, who, false)),
  person('opens or closes a page with live updates', (who) => steps.toggleStream(stage, who)),
  fc
    .boolean()
    .chain((email_message_text) =>
      fc
        .constantFrom('en', 'fr-CA')
        .chain((locale) =>
          person(`chooses ${locale}, texts in emails: ${email_message_text}`, (who) =>
            steps.changePreferences(who, { locale, email_message_text }),
          ),
        ),
    ),
  person('signs out and in', (who) => steps.newSession(stage, who)),
  person('writes to the support team', (who) => steps.contact(stage, who)),
  person('has forgotten the password', (who) => steps.askForLink(who, 'recover')),
  person('asks for a link', (who) => steps.askForLink(who, 'otp')),
  person('tries what is not allowed', (who, world) => steps.pry(stage, world, who)),
  vehicle('its owner removes', (one) => steps.removeVehicle(one)),
  vehicle('the admin approves', (one) => steps.decide(stage, one, 'approve')),
  vehicle('the admin rejects', (one) => steps.decide(stage, one, 'reject')),
  vehicle('the admin removes', (one) => steps.decide(stage, one, 'delete')),
  person('leaves and signs up as somebody else', (who, world) => steps.leaveAndReturn(stage, world, who, false)),
  person('is deleted by the admin and signs up as somebody else', (who, world) =>
    steps.leaveAndReturn(stage, world, who, true),
  ),
]

test('nobody can read anything but their own, whatever everybody does', async (t) => {
  t.diagnostic(`seed ${seed}: TEST_SEED=${sample.seed} repeats the walk`)
  const deadline = performance.now() + WITHIN_MS
  let taken = 0
  const walk = async (wanted: Step[]) => {
    const world = await stage.newWorld()
    try {
      for (const step of wanted) if (performance.now() < deadline && (await step.take(world))) taken++
    } finally {
      await stage.leave(world)
    }
  }
  const walks = fc.array(fc.oneof(...actions), { minLength: STEPS, maxLength: STEPS })
  // the steps up to the one that fails say more than fewer steps after many more walks
  await fc.assert(fc.asyncProperty(walks, walk), { seed, numRuns: WALKS, endOnFailure: true })
  t.diagnostic(`${taken} steps`)
  assert.ok(taken > 0)
})
