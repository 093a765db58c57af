import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openPool, type Pool } from '../db/pool.ts'
import { type Person, type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { type ServerProcess, startProduct } from '../test/product.ts'

const NAMES = ['a', 'b'] as const
type Name = (typeof NAMES)[number]
const MESSAGES = 60
const WORK_TIMEOUT_MS = 60_000

/**
 * Who is notified of messages when workers are killed (decision 0099): two processes of the product do the steps, and the
 * test kills them with -9. The notifications are read from a table of the test's own, which gets a row for every email that
 * is queued.
 */
describe('killed workers', () => {
  let app: TestApp
  let sender: Person
  let locks: Pool
  const people = {} as Record<'owner' | 'driver' | 'other', Person>
  let vehicle: { id: string; plate: string }
  const workers = {} as Record<Name, ServerProcess>
  const nameOf = (worker: Name) => `worker-${worker}`

  const startWorker = async (name: Name) => {
    const url = new URL(app.database.url)
    url.searchParams.set('application_name', nameOf(name))
    workers[name] = await startProduct({
      ROLE: 'worker',
      PORT: String(await findFreePort()),
      DATA_DIR: app.config.DATA_DIR,
      DATABASE_URL: url.href,
      LOG_LEVEL: 'silent',
    })
  }
  const kill = (name: Name) => workers[name].stop('SIGKILL')

  before(async () => {
    app = await testApp({ settings: { ROLE: 'web' } })
    locks = openPool(app.database.connection, 1)
    sender = await app.user()
    for (const name of ['owner', 'driver', 'other'] as const) people[name] = await app.user()
    vehicle = await app.vehicle(people.owner)
    for (const person of [people.driver, people.other]) {
      const { body } = await people.owner.post(`/api/vehicles/${vehicle.id}/invitations`)
      assert.equal((await person.post('/api/invitations/accept', { code: body.code })).status, 200)
    }
    await app.db`create table told (message_id uuid, kind text, recipient_id uuid)`
    await app.db`
      create function note_told() returns trigger language plpgsql as $$
      begin
        insert into told values (new.ref_id, new.kind, new.recipient_id);
        return new;
      end $$`
    await app.db`create trigger note_told after insert on outbox for each row execute function note_told()`
    await Promise.all(NAMES.map(startWorker))
  })
  after(async () => {
    await Promise.all(Object.values(workers).map((worker) => worker.stop('SIGKILL')))
    await locks.end()
    await app.close()
  })

  let keys = 0
  const send = async (): Promise<string> => {
    const input = { plate: vehicle.plate, content: 'Please come', reason: 'blocked_in' }
    const { status, body, text } = await sender.post('/api/messages', input, { 'idempotency-key': `killed-${++keys}` })
    assert.equal(status, 201, text)
    return body.id
  }
  const stepsOf = async (ids: string[], step: string): Promise<number> => {
    const [row] = await app.db<{ n: number }[]>`
      select count(*)::int as n from message_steps where message_id = any(${ids}::uuid[]) and step = ${step}`
    return row!.n
  }
  const untilDone = (ids: string[], step: string, left = 0) =>
    eventually(async () => ((await stepsOf(ids, step)) <= left ? true : undefined), WORK_TIMEOUT_MS)
  /** Lets the time of a step come. */
  const letTimePass = (ids: string[], step: string) =>
    app.db`update message_steps set due_at = now() where message_id = any(${ids}::uuid[]) and step = ${step}`
  const notificationsOf = async (id: string, kind: string): Promise<string[]> =>
    (
      await app.db<
        { recipient_id: string }[]
      >`select recipient_id from told where message_id = ${id} and kind = ${kind}`
    )
      .map(({ recipient_id }) => recipient_id)
      .toSorted()
  const idsOf = (...who: Person[]) => who.map(({ id }) => id).toSorted()

  /**
   * Has a step begin and kills its worker in the middle: the test holds what the transaction writes last, so that the worker waits
   * with half of its work done.
   */
  async function killInTheMiddle(begin: () => PromiseLike<unknown>): Promise<Name> {
    return locks.begin(async (tx) => {
      await tx`select from notification_counters where user_id = any(${idsOf(...Object.values(people))}::uuid[]) for update`
      await begin()
      const waiting = await eventually(async () => {
        const [row] = await app.db<{ application_name: string }[]>`
          select application_name from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and application_name like 'worker-%'
            and query like '%notification_counters%'`
        return NAMES.find((name) => nameOf(name) === row?.application_name)
      })
      await kill(waiting)
      return waiting
    })
  }

  test('between the steps and in the middle of each: none is lost, and none is done twice', async () => {
    const { owner, driver, other } = people
    const first = await send() // everybody has a counter
    await untilDone([first], 'share')
    assert.deepEqual(await notificationsOf(first, 'message'), idsOf(owner, driver, other))
    assert.equal((await driver.put(`/api/vehicles/${vehicle.id}/holder`, {})).status, 200)

    const id = await send()
    await untilDone([id], 'share')
    assert.deepEqual(await notificationsOf(id, 'message'), idsOf(driver))
    // both are gone between the steps: what is due meanwhile waits in the database
    await Promise.all(NAMES.map(kill))
    await letTimePass([id], 'everybody')
    await Promise.all(NAMES.map(startWorker))
    await untilDone([id], 'everybody')
    assert.deepEqual(await notificationsOf(id, 'message'), idsOf(owner, driver, other))

    const later = await send()
    await untilDone([later], 'share')
    let killed = await killInTheMiddle(() => letTimePass([later], 'everybody'))
    await untilDone([later], 'everybody') // by the other one
    assert.deepEqual(await notificationsOf(later, 'message'), idsOf(owner, driver, other))
    await startWorker(killed)

    await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${later}`
    killed = await killInTheMiddle(async () => {
      assert.equal((await sender.post(`/api/messages/${later}/nudge`)).status, 200)
    })
    await untilDone([later], 'nudge')
    assert.deepEqual(await notificationsOf(later, 'nudge'), idsOf(owner, driver, other))
    await startWorker(killed)
  })

  test(`while ${MESSAGES} messages are being escalated: everybody is notified of each once`, async () => {
    const { owner, driver, other } = people
    await Promise.all(NAMES.map(kill))
    const ids: string[] = []
    for (let i = 0; i < MESSAGES; i++) ids.push(await send())
    for (const [step, killed] of [
      ['share', 'a'],
      ['everybody', 'b'],
    ] as const) {
      await Promise.all(NAMES.map(kill))
      await letTimePass(ids, step)
      await Promise.all(NAMES.map(startWorker))
      await untilDone(ids, step, MESSAGES / 2)
      await kill(killed)
      await untilDone(ids, step)
    }
    for (const id of ids) assert.deepEqual(await notificationsOf(id, 'message'), idsOf(owner, driver, other))
  })
})
