import { setTimeout as delay } from 'node:timers/promises'
import { signUpOverHttp } from '../../server/src/test/post-json.ts'
import { none, note, type Scenario } from '../figures.ts'
import { openDatabase, seedOwners, startDatabase, startMember } from '../installation.ts'
import { auditFigures, auditSends } from './audit.ts'
import { type MailStage, startMailSink } from './mail-sink.ts'
import { type Acknowledged, sendUntilAcknowledged, waitForOutbox } from './senders.ts'

const STAGES: MailStage[] = ['claimed', 'data', 'before 250', 'after 250']
const MAILS_PER_ROUND = 5
const OWNERS = 20_000
/** Another worker takes over the mails of a killed one once their leases have ended. */
const DRAIN_MS = 120_000
const KILL_TIMEOUT_MS = 60_000
/** A running worker records a delivered mail well within this time. */
const UNRECORDED_MS = 500
/** The mail server still reads what a worker had written when it was killed; the next one takes longer to start. */
const READ_AFTER_MS = 100

/** Kills the worker at each stage of a mail in turn. */
export const killWorker: Scenario = {
  title: 'kill -9 of the worker amid a mail',
  description:
    'The worker is killed when a mail is claimed, amid DATA, before the mail server says 250, and right after, before the worker has noted it; then it is started again. Only a mail that the mail server has and the worker has not noted may come twice, under one Message-ID.',
  rounds: 12,
  async run(rounds, progress) {
    let stageToKillAt: MailStage | undefined
    const killedAt: number[] = []
    let reached: PromiseWithResolvers<void> | undefined
    await using sink = await startMailSink({
      onStage(stage) {
        if (stage !== stageToKillAt) return
        stageToKillAt = undefined
        killedAt.push(performance.now())
        void worker.kill().then(() => reached?.resolve())
      },
    })
    await using database = await startDatabase()
    const env = { ...database.env, SMTP_URL: sink.url }
    await using web = await startMember('web', env)
    await using worker = await startMember('worker', env)
    await using db = openDatabase(database.url)
    const nextPlate = await seedOwners(db, OWNERS)
    const token = await signUpOverHttp(web.url, 'sender@example.com')
    const acknowledged: Acknowledged = new Map()
    for (let round = 0; round < rounds; round++) {
      const stage = STAGES[round % STAGES.length]!
      reached = Promise.withResolvers()
      stageToKillAt = stage
      for (let i = 0; i < MAILS_PER_ROUND; i++)
        await sendUntilAcknowledged([web.url], token, nextPlate(), acknowledged, { tries: 0 })
      await Promise.race([
        reached.promise,
        delay(KILL_TIMEOUT_MS, undefined, { ref: false }).then(() => {
          throw new Error(`no mail came to the stage '${stage}'`)
        }),
      ])
      await worker.start()
      if ((round + 1) % STAGES.length === 0) progress(`${round + 1} of ${rounds} kills`)
    }
    const waiting = await waitForOutbox(db, DRAIN_MS)
    const audit = await auditSends(db, acknowledged, sink, DRAIN_MS)
    // a kill may only duplicate a mail that the mail server received right before it
    const mayBeUnrecorded = (at: number) =>
      killedAt.some((killed) => at - killed < READ_AFTER_MS && killed - at < UNRECORDED_MS)
    const firstByRow = new Map<string, number>()
    const doubledLate = new Set<string>()
    for (const { row, at } of sink.taken) {
      const first = firstByRow.get(row)
      if (first === undefined) firstByRow.set(row, at)
      else if (!mayBeUnrecorded(first)) doubledLate.add(row)
    }
    return [
      ...auditFigures(audit),
      none('mails that never came', audit.mailMissing + waiting),
      note('twice, because of a kill between its acceptance and the note of it', audit.mailDoubled - doubledLate.size),
      none('twice for any other reason', doubledLate.size),
      note('slowest mail', `${(audit.slowestMailMs / 1000).toFixed(1)} s`),
    ]
  },
}
