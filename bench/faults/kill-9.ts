import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findRunningEmbedded } from '../../server/src/postgres/embedded-server.ts'
import { readPostmaster } from '../../server/src/postgres/postmaster.ts'
import { aim, type Figure, none, note, type Scenario } from '../figures.ts'
import { type Member, makeFolder, openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { GIVE_UP_MS, startClients, waitForOutbox } from './senders.ts'

const CLIENTS = 16
const OWNERS = 80_000
const MAIL_WITHIN_MS = 60_000
const MAX_DOUBLED_MAILS = 0.01

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
  open: () => Promise<ReturnType<typeof openDatabase>>
  sink: MailSink
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
  const { acknowledged, counts, whileSending } = await startClients(web, nextPlate, CLIENTS, pace.pauseMs)
  const [from, to] = pace.upMs
  const killed = { web: 0, worker: 0, all: 0 }
  await whileSending(async () => {
    for (let round = 0; round < rounds; round++) {
      const goal = acknowledged.size + pace.sends
      const until = performance.now() + GIVE_UP_MS
      while (acknowledged.size < goal) {
        if (performance.now() > until) throw new Error(`nothing is acknowledged any more after ${round} kills`)
        await delay(20)
      }
      await delay(from + Math.random() * (to - from))
      const member = members[Math.floor(Math.random() * members.length)]!
      await member.kill()
      killed[member.role]++
      if (round % 2 === 1) await killDatabase?.()
      await member.start()
      if ((round + 1) % 10 === 0) progress(`${round + 1} of ${rounds} kills, ${acknowledged.size} acknowledged`)
    }
  })
  await using after = await open()
  const waiting = await waitForOutbox(after, MAIL_WITHIN_MS)
  const audit = await auditSends(after, acknowledged, sink, MAIL_WITHIN_MS)
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
    none('mails that never came', audit.mailMissing + waiting),
    none('mails later than 60 s', audit.mailLate),
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
    await using sink = await startMailSink()
    await using database = await startDatabase()
    const env = { ...database.env, SMTP_URL: sink.url }
    await using one = await startMember('web', env)
    await using other = await startMember('web', env)
    await using worker = await startMember('worker', env)
    const open = async () => openDatabase(database.url)
    return await killDuringSends(
      { members: [one, other, worker], open, sink, pace: SEVERAL_PROCESSES },
      rounds,
      progress,
    )
  },
}

export const kill9Embedded: Scenario = {
  title: 'kill -9 of the one process of the default installation during sends',
  description:
    'As above with a single process and its embedded PostgreSQL, as `npm start` runs it. It is killed at random, 1 to 5 s after it has acknowledged a first send, and each client waits about 0.8 s between two sends: it does everything, and has time to send as many mails as come. PostgreSQL outlives the process, and the next start finds it; in every second round it is killed too.',
  rounds: 10,
  async run(rounds, progress) {
    await using sink = await startMailSink()
    const dataDir = makeFolder()
    await using ended = new AsyncDisposableStack()
    ended.defer(() => rmSync(dataDir, { recursive: true, force: true }))
    const member = ended.use(await startMember('all', { DATA_DIR: dataDir, SMTP_URL: sink.url }))
    const open = async () => openDatabase((await findRunningEmbedded(join(dataDir, 'postgres')))!)
    const killDatabase = async () => {
      await using db = await open()
      const [{ data_directory } = {}] = await db<{ data_directory: string }[]>`show data_directory`
      process.kill(readPostmaster(data_directory!)!.pid, 'SIGKILL')
    }
    return await killDuringSends({ members: [member], open, sink, pace: ONE_PROCESS, killDatabase }, rounds, progress)
  },
}
