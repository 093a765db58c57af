import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findRunningEmbedded } from '../../server/src/postgres/embedded-server.ts'
import { readPostmaster } from '../../server/src/postgres/postmaster.ts'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { startEmbeddedForBench } from '../embedded-postgres.ts'
import { aim, type Figure, note, type Scenario } from '../figures.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type Member, openForHarness, seedOwners, startMember } from './installation.ts'
import { startMailSink } from './mail-sink.ts'
import { type Acknowledged, sendUntilAcknowledged, waitForOutbox } from './senders.ts'

const CLIENTS = 16
const OWNERS = 80_000
const MAIL_WITHIN_MS = 60_000
const MAX_DOUBLED_MAILS = 0.01
/** The time-out of a kill: a failure must not look like a run that goes on. */
const GIVE_UP_MS = 120_000

type Pace = {
  /** Every client waits about so long between two sends, so that a worker keeps up with the mails. */
  pauseMs: number
  /** So many sends are acknowledged between two kills; then a time between both passes. */
  sends: number
  upMs: readonly [from: number, to: number]
}
const SEVERAL_PROCESSES: Pace = { pauseMs: 150, sends: 50, upMs: [0, 200] }
/** A kill of the only process stops the mails too: it gets time to send as many as are queued. */
const ONE_PROCESS: Pace = { pauseMs: 800, sends: 1, upMs: [1_000, 5_000] }

type Target = {
  members: Member[]
  open: () => Promise<ReturnType<typeof openForHarness>>
  sink: Awaited<ReturnType<typeof startMailSink>>
  pace: Pace
  /** What else is killed in every second round. */
  killDatabase?: () => Promise<void>
}

/** Kills members while clients send, and compares everything acknowledged afterwards. */
async function killDuringSends(
  { members, open, sink, pace, killDatabase }: Target,
  rounds: number,
  progress: (text: string) => void,
): Promise<Figure[]> {
  const web = members.filter(({ role }) => role !== 'worker').map(({ url }) => url)
  const db = await open()
  const nextPlate = await seedOwners(db, OWNERS)
  await db.end()
  const tokens = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => signUpOverHttp(web[0]!, `sender${i}@example.com`)),
  )
  const acknowledged: Acknowledged = new Map()
  const counts = { tries: 0 }
  let [isStopped, isAborted] = [false, false]
  const clients = tokens.map(async (token) => {
    while (!isStopped) {
      await sendUntilAcknowledged(web, token, nextPlate(), acknowledged, counts, () => isAborted)
      await delay(pace.pauseMs * (0.5 + Math.random()))
    }
  })
  const failure = Promise.all(clients).then(() => {})
  const [from, to] = pace.upMs
  const killed = { web: 0, worker: 0, all: 0 }
  try {
    for (let round = 0; round < rounds; round++) {
      const goal = acknowledged.size + pace.sends
      const until = performance.now() + GIVE_UP_MS
      while (acknowledged.size < goal) {
        if (performance.now() > until) throw new Error(`nothing is acknowledged any more after ${round} kills`)
        await Promise.race([delay(20), failure])
      }
      await delay(from + Math.random() * (to - from))
      const member = members[Math.floor(Math.random() * members.length)]!
      await member.kill()
      killed[member.role]++
      if (round % 2 === 1) await killDatabase?.()
      await member.start()
      if ((round + 1) % 10 === 0) progress(`${round + 1} of ${rounds} kills, ${acknowledged.size} acknowledged`)
    }
  } catch (error) {
    isAborted = true
    throw error
  } finally {
    isStopped = true
    await failure
  }
  const after = await open()
  const waiting = await waitForOutbox(after, MAIL_WITHIN_MS)
  const audit = await auditSends(after, acknowledged, sink, MAIL_WITHIN_MS)
  await after.end()
  const doubledPart = audit.mailDoubled / audit.acknowledged
  return [
    note(
      'processes killed',
      Object.entries(killed)
        .filter(([, n]) => n > 0)
        .map(([role, n]) => `${n} ${role}`)
        .join(', '),
    ),
    note('tries that were not acknowledged, and repeated under their key', counts.tries - audit.acknowledged),
    ...auditFigures(audit),
    aim('mails that never came', audit.mailMissing + waiting, '0', audit.mailMissing + waiting === 0),
    aim('mails later than 60 s', audit.mailLate, '0', audit.mailLate === 0),
    note('slowest mail', `${(audit.slowestMailMs / 1000).toFixed(1)} s`),
    aim(
      'mails that came twice, under one Message-ID',
      `${audit.mailDoubled} (${(doubledPart * 100).toFixed(2)} %)`,
      'at most 1 %',
      doubledPart <= MAX_DOUBLED_MAILS,
    ),
  ]
}

export const kill9: Scenario = {
  title: 'kill -9 of a random process during sends',
  description:
    'Two web processes and a worker on one PostgreSQL. 16 clients send, each message to another owner, and repeat what is not acknowledged under its key, through the other process. A random process is killed and started again. Afterwards all clients have had their response, and everything in the database and every mail is compared with the responses.',
  rounds: 20,
  async run(rounds, progress) {
    const sink = await startMailSink()
    const database = await startEmbeddedForBench()
    const env = { DATABASE_URL: database.url, DATA_DIR: database.dataDir, SMTP_URL: sink.url }
    const members: Member[] = []
    try {
      for (const role of ['web', 'web', 'worker'] as const) members.push(await startMember(role, env))
      return await killDuringSends(
        { members, open: async () => openForHarness(database.url), sink, pace: SEVERAL_PROCESSES },
        rounds,
        progress,
      )
    } finally {
      for (const member of members) await member.kill()
      await database.stop()
      await sink.close()
    }
  },
}

export const kill9Embedded: Scenario = {
  title: 'kill -9 of the one process of the default installation during sends',
  description:
    'As above with a single process and its embedded PostgreSQL, as `npm start` runs it. It is killed at random, 1 to 5 s after it has acknowledged a first send, and each client waits about 0.8 s between two sends: it does everything, and has time to send as many mails as come. PostgreSQL outlives the process, and the next start finds it; in every second round it is killed too.',
  rounds: 10,
  async run(rounds, progress) {
    const sink = await startMailSink()
    const dataDir = mkdtempSync(join(tmpdir(), 'platenote-faults-'))
    chmodSync(dataDir, 0o755) // as root, PostgreSQL runs under another account and must pass through
    const member = await startMember('all', { DATA_DIR: dataDir, SMTP_URL: sink.url })
    try {
      const open = async () => openForHarness((await findRunningEmbedded(join(dataDir, 'postgres')))!)
      const killDatabase = async () => {
        const db = await open()
        const [{ data_directory } = {}] = await db<{ data_directory: string }[]>`show data_directory`
        await db.end()
        process.kill(readPostmaster(data_directory!)!.pid, 'SIGKILL')
      }
      return await killDuringSends({ members: [member], open, sink, pace: ONE_PROCESS, killDatabase }, rounds, progress)
    } finally {
      await member.stop()
      await sink.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
