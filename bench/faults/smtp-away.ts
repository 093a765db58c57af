import { setTimeout as delay } from 'node:timers/promises'
import { postJson, signUpOverHttp } from '../../server/src/test/post-json.ts'
import { startEmbeddedForBench } from '../embedded-postgres.ts'
import { aim, note, type Scenario } from '../figures.ts'
import { auditSends } from './audit.ts'
import { openForHarness, seedOwners, startMember } from './installation.ts'
import { startMailSink } from './mail-sink.ts'
import { type Acknowledged, sendUntilAcknowledged, waitForOutbox } from './senders.ts'

const MAILS_PER_ROUND = 1_000
const LINKS = 10
const CLIENTS = 16
/** What a mail server takes to accept a mail. */
const MAIL_SERVER_MS = 20
const DRAIN_MS = 600_000
const MIN_MAILS_PER_S = 10
/** How long the worker really finds nobody there: until every mail was tried, some more than once. */
const REAL_OUTAGE_MS = 15_000

export const smtpAway: Scenario = {
  title: 'The mail server is away for an hour',
  description: `Each round adds ${MAILS_PER_ROUND} messages, each with a mail to another owner, while the mail server is away; ${LINKS} people ask for a new password meanwhile. The worker tries in vain for ${REAL_OUTAGE_MS / 1000} s, then an hour passes: every time in the outbox is moved back by it, which is all the worker goes by. Then the mail server, which takes ${MAIL_SERVER_MS} ms for a mail, is back.`,
  rounds: 1,
  async run(rounds, progress) {
    const sink = await startMailSink({ delayMs: MAIL_SERVER_MS })
    await sink.close()
    const database = await startEmbeddedForBench()
    const env = { DATABASE_URL: database.url, DATA_DIR: database.dataDir, SMTP_URL: sink.url }
    const web = await startMember('web', env)
    const worker = await startMember('worker', env)
    const db = openForHarness(database.url)
    try {
      const mails = rounds * MAILS_PER_ROUND
      const nextPlate = await seedOwners(db, mails)
      const tokens = await Promise.all(
        Array.from({ length: CLIENTS }, (_, i) => signUpOverHttp(web.url, `sender${i}@example.com`)),
      )
      const acknowledged: Acknowledged = new Map()
      let left = mails
      await Promise.all(
        tokens.map(async (token) => {
          while (left-- > 0) await sendUntilAcknowledged([web.url], token, nextPlate(), acknowledged, { tries: 0 })
        }),
      )
      for (let i = 0; i < LINKS; i++) {
        const response = await fetch(`${web.url}/auth/v1/recover`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: `sender${i}@example.com` }),
        })
        if (!response.ok) throw new Error(`a recovery was answered ${response.status}`)
      }
      progress(`${acknowledged.size} messages sent, nobody takes their mails`)
      await delay(REAL_OUTAGE_MS)
      // what went out during the sign-ups, such as news about the account, is not part of it
      await db`update outbox set run_at = run_at - interval '1 hour', created_at = created_at - interval '1 hour'
        where sent_at is null`
      await db`update digests set next_at = next_at - interval '1 hour'`
      const [tried] = await db<{ n: number; given_up: number }[]>`
        select (count(*) filter (where attempts > 0))::int as n, (count(*) filter (where failed_at is not null))::int as given_up
        from outbox`
      await sink.open()
      const openedAt = performance.now()
      const waiting = await waitForOutbox(db, DRAIN_MS)
      const seconds = (performance.now() - openedAt) / 1000
      const audit = await auditSends(db, acknowledged, sink, Number.POSITIVE_INFINITY)
      const perSecond = sink.taken.length / seconds
      const links = sink.taken.map(({ text }) => extractToken(text)).filter((token) => token !== undefined)
      const verified = await Promise.all(
        links.map((token_hash) => postJson(`${web.url}/auth/v1/verify`, { type: 'recovery', token_hash })),
      )
      const valid = verified.filter(({ status }) => status === 200).length
      return [
        note('mails that waited', mails + LINKS),
        note('tried in vain', tried!.n),
        aim('given up', tried!.given_up, '0', tried!.given_up === 0),
        aim('never delivered', audit.mailMissing + waiting, '0', audit.mailMissing + waiting === 0),
        aim('delivered twice', audit.mailDoubled, '0', audit.mailDoubled === 0),
        aim('delivered a second', perSecond.toFixed(1), 'at least 10', perSecond >= MIN_MAILS_PER_S),
        aim('links for a new password that still work', `${valid} of ${LINKS}`, 'all', valid === LINKS),
      ]
    } finally {
      await db.end()
      for (const member of [web, worker]) await member.kill()
      await database.stop()
      await sink.close()
    }
  },
}

/** Returns the token of the link in a mail about a new password; undefined in any other mail. */
function extractToken(raw: string): string | undefined {
  // quoted-printable: lines end softly with '=', and '=' itself is written as '=3D'
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('&amp;', '&')
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?[^\s"<>)]+/.exec(text)?.[0]
  return link === undefined ? undefined : (new URL(link).searchParams.get('token') ?? undefined)
}
