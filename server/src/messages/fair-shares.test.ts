import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import { type TestResponse, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'

const GATE = 4_713

// with the raised limits of tests, so that the flood is not refused
const app = await testApp()
const [flooder, honest] = [await app.user(), await app.user()]
const owner = await app.user()
const plates: string[] = []
for (let i = 0; i < 4; i++) plates.push((await app.vehicle(owner)).plate)
// the statement counts itself, and notes which one stored a message; the first waits for the test
const [facts] = await app.db<{ sql: string }[]>`select pg_get_functiondef('facts_for_sends'::regproc) as sql`
const counting = facts!.sql.replace(
  'begin\n',
  `begin\n  perform nextval('statements'), pg_advisory_xact_lock_shared(${GATE});\n`,
)
assert.notEqual(counting, facts!.sql)
await app.db.unsafe(`
  create sequence statements;
  create table stored_by (message_id uuid, statement bigint);
  create function note_statement() returns trigger language plpgsql as $$
    begin insert into stored_by select new.id, last_value from statements; return null; end $$;
  create trigger note after insert on messages for each row execute function note_statement();
  ${counting}`)

/**
 * Sends share statements, and nobody waits behind somebody with many (decision overload-protection). Counted in statements, not in time.
 */
describe('beside a user with many sends at once, another one', () => {
  /** Makes the flood's calls and then the honest one, and lets the first statement run once all of them have arrived. */
  async function run(flood: (i: number) => Promise<TestResponse>, size: number) {
    let arrived = 0
    const count = () => void arrived++
    const handlers = channel('tracing:fastify.request.handler:start')
    const responses: Promise<TestResponse>[] = []
    let before = 0
    let honestResponse: Promise<TestResponse> | undefined
    await app.db.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${GATE})`
      handlers.subscribe(count)
      for (let i = 0; i < size; i++) responses.push(flood(i))
      await eventually(async () => (arrived === size ? true : undefined))
      honestResponse = honest.post('/api/messages', { plate: plates[0], content: 'Your lights are on' })
      await eventually(async () => (arrived === size + 1 ? true : undefined))
      handlers.unsubscribe(count)
      // while the first waits more are begun, on a slow machine before the honest one has come
      const [row] = await tx<{ count: number }[]>`select last_value::int as count from statements`
      before = row!.count
    })
    const { status, body } = await honestResponse!
    assert.equal(status, 201)
    const [row] = await app.db<{ statement: number }[]>`
      select statement::int from stored_by where message_id = ${body.id}`
    return { responses: await Promise.all(responses), statementsWaited: row!.statement - before }
  }

  test('is served within three statements when 500 sends are all different', async () => {
    const { responses, statementsWaited } = await run(
      (i) => flooder.post('/api/messages', { plate: plates[1 + (i % 3)], content: `${i}` }),
      500,
    )
    assert.ok(statementsWaited <= 3, `${statementsWaited} statements`)
    assert.ok(responses.every(({ status }) => status === 201))
  })
})
