import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../server/src/db/pool.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { HOUR_S } from '../../server/src/time.ts'
import { aim, none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { startMailSink } from './mail-sink.ts'
import { createLinkPeople } from './mailed-links.ts'
import { type Acknowledged, sendUntilAcknowledged, waitForOutbox } from './senders.ts'

const MAILS_PER_ROUND = 1_000
const CLIENTS = 16
/** How long the mail server takes to accept a mail. */
const MAIL_SERVER_MS = 20
/** The time-out for trying every mail once. */
const TRY_EACH_MS = 600_000
const DRAIN_MS = 600_000
const MIN_MAILS_PER_S = 10

/** The tables about processes and migrations: none of their times affects a link. */
const NOT_MOVED = ['processes', 'job_runs', 'operations_runs', 'schema_migrations']

/**
 * Makes everything in a database older: every time in it is moved back. What is not in the database stays as it is, such as
 * the ends of access tokens.
 */
async function passTime(db: Pool, seconds: number): Promise<void> {
  const tables = await db<{ name: string; changes: string }[]>`
    select format('%I.%I', table_schema, table_name) as name,
      string_agg(format('%1$I = %1$I - interval ''%2$s seconds''', column_name, ${seconds}::int), ', ') as changes
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
      and is_generated = 'NEVER' and table_name <> all(${NOT_MOVED}::text[])
    group by 1`
  await db.begin(async (tx) => {
    // without triggers: nothing but the times may change
    await tx.unsafe('set local session_replication_role = replica')
    for (const { name, changes } of tables) await tx.unsafe(`update ${name} set ${changes}`)
  })
}

/** Resolves once every mail that waits was tried. Returns how many were. */
async function untilAllTried(db: Pool): Promise<number> {
  const until = performance.now() + TRY_EACH_MS
  for (;;) {
    const [row] = await db<{ tried: number; untried: number }[]>`
      select (count(*) filter (where attempts > 0))::int as tried, (count(*) filter (where attempts = 0))::int as untried
      from outbox where sent_at is null and failed_at is null`
    if (row!.untried === 0) return row!.tried
    if (performance.now() > until) throw new Error(`${row!.untried} mails were not tried`)
    await delay(250)
  }
}

export const smtpAway: Scenario = {
  title: 'The mail server is away for an hour',
  description: `Each round adds ${MAILS_PER_ROUND} messages, each with a mail to another owner, while the mail server is away; meanwhile people ask for mails with each kind of link. The worker tries every mail in vain, some several times. Then an hour passes: every time in the database is moved back by it. Then the mail server, which takes ${MAIL_SERVER_MS} ms for a mail, is back, and the links are followed.`,
  rounds: 1,
  async run(rounds, progress) {
    await using sink = await startMailSink({ delayMs: MAIL_SERVER_MS })
    await using database = await startDatabase()
    const env = { ...database.env, SMTP_URL: sink.url }
    await using web = await startMember('web', env)
    await using strict = await startMember('web', { ...env, AUTH_AUTOCONFIRM: 'false' })
    await using _worker = await startMember('worker', env)
    await using db = openDatabase(database.url)
    const mails = rounds * MAILS_PER_ROUND
    const nextPlate = await seedOwners(db, mails)
    const linkPeople = await createLinkPeople({ web: web.url, strict: strict.url })
    const tokens = await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) => signUpOverHttp(web.url, `sender${i}@example.com`)),
    )
    await waitForOutbox(db, DRAIN_MS)
    await sink.close()
    const acknowledged: Acknowledged = new Map()
    let left = mails
    await Promise.all(
      tokens.map(async (token) => {
        while (left-- > 0) await sendUntilAcknowledged([web.url], token, nextPlate(), acknowledged, { tries: 0 })
      }),
    )
    await linkPeople.ask(acknowledged)
    progress(`${acknowledged.size} messages sent, nobody takes their mails`)
    const tried = await untilAllTried(db)
    await passTime(db, HOUR_S)
    await sink.open()
    const openedAt = performance.now()
    const before = sink.taken.length
    const waiting = await waitForOutbox(db, DRAIN_MS)
    const seconds = (performance.now() - openedAt) / 1000
    const perSecond = (sink.taken.length - before) / seconds
    const audit = await auditSends(db, acknowledged, sink, Number.POSITIVE_INFINITY)
    const [givenUp] = await db<{ n: number }[]>`select count(*)::int as n from outbox where failed_at is not null`
    return [
      note('mails that waited, each tried in vain', tried),
      ...auditFigures(audit),
      none('given up', givenUp!.n),
      none('never delivered', audit.mailMissing + waiting),
      none('delivered twice', audit.mailDoubled),
      aim('delivered a second', perSecond.toFixed(1), 'at least 10', perSecond >= MIN_MAILS_PER_S),
      ...(await linkPeople.follow(sink.taken)),
    ]
  },
}
