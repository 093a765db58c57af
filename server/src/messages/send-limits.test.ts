import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { limitText } from '#contract/errors.ts'
import { type Caller, type Person, type TestResponse, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { DAY_S, HOUR_S, MINUTE_S } from '../time.ts'

// The limits on sending (decision 0071), each with its real number. Users and plates are created on a server with
// raised limits, and messages are sent through two processes with the real ones.

const settings = { LIMIT_SCALE: '1' }
const unlimitedApp = await testApp()
const app = await testApp({ sibling: unlimitedApp, settings })
const other = await testApp({ sibling: unlimitedApp, settings })
after(async () => {
  await other.close()
  await app.close()
  await unlimitedApp.close()
})

// where `runConcurrently` stops sends that are decided and about to be written
const GATE = 4_711
await unlimitedApp.db.unsafe(`
  create function wait_at_gate() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
  create trigger gate before insert on rate_counters for each row execute function wait_at_gate()`)

const owner = await unlimitedApp.user()
const plates: string[] = []
for (let i = 0; i < 10; i++) plates.push((await unlimitedApp.vehicle(owner)).plate)
const [plate = ''] = plates

type Sender = Caller & { id: string; elsewhere: Caller }

/** Creates a user who sends through `app`, or with `elsewhere` through the other process. */
async function createSender({ young = false } = {}): Promise<Sender> {
  const person = await unlimitedApp.user()
  if (!young)
    await unlimitedApp.db`update auth.users set created_at = now() - interval '25 hours' where id = ${person.id}`
  return { ...app.withToken(person.token), id: person.id, elsewhere: other.withToken(person.token) }
}

const send = (who: Caller, to: string, more: object = {}, key?: string) =>
  who.post(
    '/api/messages',
    { plate: to, content: 'Your lights are on', ...more },
    key ? { 'idempotency-key': key } : {},
  )

/** Sends this many messages one after the other, to all plates in rotation. */
async function sendAll(who: Caller, count: number) {
  for (let i = 0; i < count; i++)
    assert.equal((await send(who, plates[i % plates.length]!)).status, 201, `the ${i + 1}.`)
}

/** Lets time pass for everything that was sent and for all senders. */
async function advanceTime(seconds: number) {
  const span = `${seconds} seconds`
  await unlimitedApp.db`update messages set inserted_at = inserted_at - ${span}::interval, replied_at = replied_at - ${span}::interval`
  await unlimitedApp.db`update rate_counters set window_start = window_start - ${span}::interval where key like 'send:%'`
  await unlimitedApp.db`update auth.users set created_at = created_at - ${span}::interval`
}

/** Asserts a refusal over a limit. Returns the seconds after which the next try can succeed. */
function assertLimited(answer: TestResponse, limit: Parameters<typeof limitText>[0]): number {
  assert.deepEqual([answer.status, answer.body], [429, { error: limitText(limit, 'en'), code: 'too_many_requests' }])
  return Number(answer.headers.get('retry-after'))
}

const assertBetween = (value: number, least: number, most: number) =>
  assert.ok(value >= least && value <= most, `${value} is not from ${least} to ${most}`)

const count = (answers: TestResponse[], status: number) => answers.filter((answer) => answer.status === status).length

/** Makes calls in two processes, and lets neither write its counts before both have decided or wait. */
async function runConcurrently(
  first: () => Promise<TestResponse>,
  second: () => Promise<TestResponse>,
): Promise<TestResponse[]> {
  const calls: Promise<TestResponse>[] = []
  await unlimitedApp.db.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${GATE})`
    calls.push(first(), second())
    await eventually(async () => {
      const [row] = await unlimitedApp.db<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      return row?.waiting === 2 ? true : undefined
    })
  })
  return Promise.all(calls)
}

describe('messages of one user', () => {
  test('20 an hour, and Retry-After says when the next one is allowed', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const wait = assertLimited(await send(who, plate), 'messages')
    assertBetween(wait, HOUR_S - 30, HOUR_S)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'messages')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('40 a day', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    await advanceTime(HOUR_S)
    await sendAll(who, 20)
    // the limit per hour is reached as well, but free again long before the one per day
    const wait = assertLimited(await send(who, plate), 'messages')
    assertBetween(wait, DAY_S - HOUR_S - 60, DAY_S - HOUR_S)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'messages')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('an account in its first day: 10 an hour and 20 a day', async () => {
    const who = await createSender({ young: true })
    await sendAll(who, 10)
    assertBetween(assertLimited(await send(who, plate), 'messages'), HOUR_S - 30, HOUR_S)
    await advanceTime(HOUR_S)
    await sendAll(who, 10)
    assertBetween(assertLimited(await send(who, plate), 'messages'), DAY_S - HOUR_S - 60, DAY_S - HOUR_S)
  })

  test('an account whose first day ends does not have to wait for its hour', async () => {
    const who = await createSender({ young: true })
    await sendAll(who, 10)
    await unlimitedApp.db`update auth.users set created_at = now() - interval '23 hours 50 minutes' where id = ${who.id}`
    const wait = assertLimited(await send(who, plate), 'messages')
    assertBetween(wait, 10 * MINUTE_S - 30, 10 * MINUTE_S)
    await advanceTime(wait)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('sends refused over the limit do not count', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    for (let i = 0; i < 25; i++) assertLimited(await send(who, plate), 'messages')
    await advanceTime(HOUR_S)
    await sendAll(who, 20)
  })

  test('the refusal is in French for a French reader', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const { body } = await who.post('/api/messages', { plate, content: 'Allo' }, { 'accept-language': 'fr-CA' })
    assert.equal(body.error, limitText('messages', 'fr-CA'))
  })

  test('over the limit every plate gets the same refusal', async () => {
    const who = await createSender()
    await sendAll(who, 20)
    const rejected = await unlimitedApp.vehicle(owner, { status: 'rejected' })
    for (const to of [plate, 'NOBODY1', rejected.plate]) assertLimited(await send(who, to), 'messages')
  })
})

describe('unanswered messages of one user to one vehicle', () => {
  test('5 a day and 10 in 30 days, and other vehicles can still be reached', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const wait = assertLimited(await send(who, plate), 'unanswered')
    assertBetween(wait, DAY_S - 30, DAY_S)
    assert.equal((await send(who, plates[1]!)).status, 201)
    await advanceTime(wait - 2)
    assertLimited(await send(who, plate), 'unanswered')
    await advanceTime(2)
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const long = assertLimited(await send(who, plate), 'unanswered')
    assertBetween(long, 29 * DAY_S - 60, 29 * DAY_S)
    await advanceTime(long - 2)
    assertLimited(await send(who, plate), 'unanswered')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('a reply allows five more, even if it is to an old message', async () => {
    const who = await createSender()
    const first = (await send(who, plate)).body.id
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    assertLimited(await send(who, plate), 'unanswered')
    assert.equal((await owner.post(`/api/messages/${first}/reply`, { reply: 'Thank you' })).status, 200)
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    assertLimited(await send(who, plate), 'unanswered')
  })

  test('a reply to somebody else allows no more', async () => {
    const [who, stranger] = [await createSender(), await createSender()]
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    const { id } = (await send(stranger, plate)).body
    assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
    assertLimited(await send(who, plate), 'unanswered')
  })
})

describe('messages to one vehicle', () => {
  test('60 an hour from all users, and a refused sender learns nothing more', async () => {
    const busy = await unlimitedApp.vehicle(owner)
    for (let i = 0; i < 59; ) {
      const who = await createSender({ young: true })
      for (let k = 0; k < 5 && i < 59; k++, i++) assert.equal((await send(who, busy.plate)).status, 201)
    }
    const [one, another, late] = [await createSender(), await createSender(), await createSender()]
    const last = await runConcurrently(
      () => send(one, busy.plate),
      () => send(another.elsewhere, busy.plate),
    )
    assert.deepEqual([count(last, 201), count(last, 429)], [1, 1])
    const wait = assertLimited(await send(late, busy.plate), 'inbound')
    assert.equal(wait % (5 * MINUTE_S), 0, 'the wait says only roughly when others wrote')
    assertBetween(wait, HOUR_S - 5 * MINUTE_S, HOUR_S)
    assert.equal((await send(late, plate)).status, 201)
    await advanceTime(wait)
    assert.equal((await send(late, busy.plate)).status, 201)
  })
})

describe('sends that reach nobody', () => {
  test('15 an hour, whatever they reveal about a plate; then every plate is refused alike', async () => {
    const who = await createSender()
    const waiting = await unlimitedApp.vehicle(await unlimitedApp.user(), { status: 'pending_verification' })
    await unlimitedApp.vehicle(owner, { plate: 'TWOPROV', province: 'Ontario' })
    await unlimitedApp.vehicle(await unlimitedApp.user(), { plate: 'TWOPROV', province: 'Quebec' })
    const nothing = { attachment_id: '01900000-0000-7000-8000-000000000000' }
    for (let i = 0; i < 12; i++) assert.equal((await send(who, `NOBODY${i}`)).status, 404)
    assert.equal((await send(who, waiting.plate)).body.code, 'vehicle_not_active')
    assert.equal((await send(who, 'TWOPROV')).body.code, 'province_needed')
    assert.equal((await send(who, plate, nothing)).body.code, 'attachment_unknown')
    const waits = []
    for (const to of ['NOBODY1', plate, waiting.plate, 'TWOPROV'])
      waits.push(assertLimited(await send(who, to), 'misses'))
    assertBetween(Math.min(...waits), HOUR_S - 30, HOUR_S)
    assertBetween(Math.max(...waits), HOUR_S - 30, HOUR_S)
    await advanceTime(waits.at(-1)! - 2)
    assertLimited(await send(who, plate), 'misses')
    await advanceTime(2)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('30 a day', async () => {
    const who = await createSender()
    for (let i = 0; i < 15; i++) assert.equal((await send(who, 'NOBODY1')).status, 404)
    await advanceTime(HOUR_S)
    for (let i = 0; i < 15; i++) assert.equal((await send(who, 'NOBODY1')).status, 404)
    const wait = assertLimited(await send(who, plate), 'misses')
    assertBetween(wait, DAY_S - HOUR_S - 60, DAY_S - HOUR_S)
    await advanceTime(wait)
    assert.equal((await send(who, plate)).status, 201)
  })

  test('one’s own vehicle and a used key reveal nothing, and do not count', async () => {
    const person = await unlimitedApp.user()
    const mine = await unlimitedApp.vehicle(person)
    const who = app.withToken(person.token)
    assert.equal((await send(who, plate, {}, 'key-of-another-text')).status, 201)
    for (let i = 0; i < 20; i++) {
      assert.equal((await send(who, mine.plate)).body.code, 'own_vehicle')
      assert.equal((await send(who, 'NOBODY1', {}, 'key-of-another-text')).body.code, 'idempotency_mismatch')
    }
    assert.equal((await send(who, plate)).status, 201)
  })
})

describe('a repeated key', () => {
  test('returns the first result whatever limit is reached, and does not count', async () => {
    const who = await createSender()
    const first = await send(who, plate, {}, 'key-of-the-first')
    for (let i = 0; i < 30; i++) {
      assert.deepEqual((await send(who, plate, {}, 'key-of-the-first')).body, first.body)
    }
    await sendAll(who, 19)
    assertLimited(await send(who, plate), 'messages')
    const again = await send(who, plate, {}, 'key-of-the-first')
    assert.deepEqual([again.status, again.body], [201, first.body])
  })
})

describe('two processes at the same moment', () => {
  test('accept exactly 20 messages of a user', async () => {
    const who = await createSender()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => send(i % 2 ? who : who.elsewhere, plates[i % plates.length]!)),
    )
    assert.deepEqual([count(answers, 201), count(answers, 429)], [20, 30])
  })

  test('accept the last message of a user’s hour once', async () => {
    const who = await createSender()
    await sendAll(who, 19)
    const answers = await runConcurrently(
      () => send(who, plates[8]!),
      () => send(who.elsewhere, plates[9]!),
    )
    assert.deepEqual([count(answers, 201), count(answers, 429)], [1, 1])
  })

  test('accept a user’s last message to a vehicle once', async () => {
    const who = await createSender()
    for (let i = 0; i < 4; i++) assert.equal((await send(who, plate)).status, 201)
    const answers = await runConcurrently(
      () => send(who, plate),
      () => send(who.elsewhere, plate),
    )
    assert.deepEqual([count(answers, 201), count(answers, 429)], [1, 1])
  })

  test('accept a user’s last miss once', async () => {
    const who = await createSender()
    for (let i = 0; i < 14; i++) assert.equal((await send(who, `NOBODY${i}`)).status, 404)
    const answers = await runConcurrently(
      () => send(who, 'NOBODY8'),
      () => send(who.elsewhere, 'NOBODY9'),
    )
    assert.deepEqual([count(answers, 404), count(answers, 429)], [1, 1])
  })

  test('store one message for a key', async () => {
    const who = await createSender()
    const once = (caller: Caller) => send(caller, plate, {}, 'key-in-two-places')
    const answers = await runConcurrently(
      () => once(who),
      () => once(who.elsewhere),
    )
    assert.equal(count(answers, 201), 2)
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
  })

  test('do not count against one limit what another one refuses', async () => {
    const who = await createSender()
    for (let i = 0; i < 5; i++) assert.equal((await send(who, plate)).status, 201)
    // fifteen are left of the hour; as many again go to a vehicle whose limit is reached
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => send(i % 4 < 2 ? who : who.elsewhere, i % 2 ? plate : plates[1 + (i % 9)]!)),
    )
    assert.equal(count(answers, 201), 15)
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

test('60 uploads a day, successful or not', async () => {
  const who = await createSender()
  const upload = () => {
    const form = new FormData()
    form.append('file', new Blob(['no image']), 'x.png')
    return who.post('/api/attachments', form)
  }
  for (let i = 0; i < 60; i++) assert.equal((await upload()).body.code, 'image_unreadable')
  assertBetween(assertLimited(await upload(), 'uploads'), DAY_S - HOUR_S, DAY_S + HOUR_S)
})
