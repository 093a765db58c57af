import type { AppContext, Outbox } from '../context.ts'
import { startIntervalJob } from '../jobs/interval-job.ts'
import { describeError } from '../log/safe-error.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS, withTimeout } from '../time.ts'
import { purgeCapturedMails } from './captured-mails.ts'
import { renderMail } from './layout.ts'
import { LEASE_DURATION_S, type Lease, leaseMails, type Queue, TEXT_REJECTED } from './lease-mails.ts'
import type { LeasedMail, MailRenderers, SupportMail } from './mail-content.ts'
import type { MailKind } from './outbox.ts'
import { deleteMail, markDeferred, markFailed, markSent, purgeFinishedMails } from './queries.ts'
import type { DeliveryResult, Transport } from './transport.ts'

const POLL_INTERVAL_MS = SECOND_MS
const MAX_IN_FLIGHT = 5
// the rest is always free for fresh mails: addresses whose server stalls cannot take all places
const MAX_RETRIES_IN_FLIGHT = 3
const RETRY_BASE_MS = 5 * SECOND_MS
const MAX_RETRY_DELAY_MS = 30 * MINUTE_MS
// with the 20 s of the delivery it stays inside the lease
const RENDER_TIMEOUT_MS = 8 * SECOND_MS
const STOP_TIMEOUT_MS = 20 * SECOND_MS

export type MailWorker = Outbox & {
  /** Takes no more mails and waits for those in flight, at most 20 s; what is unfinished then comes back when its lease ends. */
  stop(): Promise<void>
}

/** Mails that hold what another person wrote, unless the reader wants it left out. */
const KINDS_WITH_USER_TEXT: MailKind[] = ['message', 'reply']

/** Whether a mail holds what another person wrote. */
const containsUserText = (mail: LeasedMail | SupportMail) =>
  mail.kind === 'contact'
    ? mail.withText
    : KINDS_WITH_USER_TEXT.includes(mail.kind) && mail.preferences.email_message_text

/** How a mail ended here; `dropped`: its renderer had nothing to say. */
type Outcome = DeliveryResult | { state: 'dropped' }

/** 5 s, 10 s, 20 s … up to 30 min, each spread over ±20 % so that mails of one outage do not come back as one herd. */
export const retryDelayMs = (attempts: number, baseMs: number, random: number): number =>
  Math.min(baseMs * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS) * (0.8 + 0.4 * random)

/**
 * Sends what is in the outbox (decision 0073). Any number of workers, in any number of processes, may share a database: a
 * mail is held under a lease of 30 s, and one whose worker died comes back when it ends. So a mail is sent at least
 * once, and twice only if a worker dies between the server's yes and the commit that notes it. Messages of one owner
 * that come within five minutes of a mail share the next one (docs/decisions/0028).
 *
 * @param retryBaseMs the first delay before a mail is tried again; later ones double
 */
export function startMailWorker(
  context: Omit<AppContext, 'outbox'>,
  renderers: MailRenderers,
  transport: Transport,
  { retryBaseMs = RETRY_BASE_MS }: { retryBaseMs?: number } = {},
): MailWorker {
  const { config, db, log } = context
  const inFlight: Record<Queue, Set<Promise<void>>> = { fresh: new Set(), retries: new Set() }
  let stopped = false
  let hasPendingWake = false
  let currentRound: Promise<void> | undefined

  const support = { to: config.SUPPORT_EMAIL, locale: 'en' } as const
  const renderContent = (mail: LeasedMail | SupportMail) => {
    const all = { ...context, outbox: worker }
    return mail.kind === 'contact' ? renderers.contact(all, mail) : renderers[mail.kind](all, mail)
  }

  async function tryOnce(lease: Lease): Promise<Outcome> {
    const { mail } = lease
    try {
      const content = await withTimeout(renderContent(mail), RENDER_TIMEOUT_MS)
      if (!content) return { state: 'dropped' }
      const { to, locale } = mail.kind === 'contact' ? support : mail
      const rendered = renderMail(content, { locale, config })
      const end = await transport.deliver({ id: mail.id, to, subject: content.subject, ...rendered })
      if (end.state !== 'refused') return end
      // one writer's words must not keep the reader from hearing of the others, or of anything at all
      if (end.rejected === 'content' && containsUserText(mail)) return { state: 'deferred', reason: TEXT_REJECTED }
      // our own address is a setting, and can be put right
      return mail.kind === 'contact' ? { state: 'deferred', reason: end.reason } : end
    } catch (error) {
      log.error({ mail: mail.id, kind: mail.kind, fault: describeError(error) }, 'mail could not be written')
      return { state: 'deferred', reason: 'fault' }
    }
  }

  function recordOutcome(lease: Lease, end: Outcome): Promise<boolean> {
    if (end.state === 'sent') return markSent(db, lease)
    // the sender of a message must not see that its owner wants no mails: to them it ends like one that left
    if (end.state === 'dropped') return lease.mail.kind === 'message' ? markSent(db, lease) : deleteMail(db, lease)
    if (end.state === 'refused') return markFailed(db, lease, end.reason)
    return markDeferred(db, lease, end.reason, retryDelayMs(lease.attempts, retryBaseMs, Math.random()))
  }

  async function handle(lease: Lease): Promise<void> {
    const { id, kind } = lease.mail
    const leaseEndsMs = performance.now() + LEASE_DURATION_S * SECOND_MS
    const end = await tryOnce(lease)
    if (end.state === 'refused' || end.state === 'deferred') {
      log.warn({ mail: id, kind, attempts: lease.attempts, word: end.reason }, `mail ${end.state}`)
    }
    // a sent mail that is not noted would go out again: worth more than one try
    for (;;) {
      try {
        if (!(await recordOutcome(lease, end))) log.warn({ mail: id, kind }, 'mail was taken over by another worker')
        return
      } catch (error) {
        log.error({ mail: id, kind, fault: describeError(error) }, 'the end of a mail could not be noted')
        if (performance.now() + SECOND_MS > leaseEndsMs) return
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS))
      }
    }
  }

  /** Starts what is due in one queue; answers whether there may be more than there was place for. */
  async function fillQueue(queue: Queue, places: number): Promise<boolean> {
    if (places <= 0) return true
    const { leases, full, madeProgress } = await leaseMails(db, queue, places)
    for (const lease of leases) {
      const running = handle(lease).finally(() => {
        inFlight[queue].delete(running)
        if (mayHaveMore) worker.wake()
      })
      inFlight[queue].add(running)
    }
    // rows that share a mail, or were put off, have left places to others
    if (full && madeProgress && leases.length < places) hasPendingWake = true
    return full
  }

  let mayHaveMore = false
  async function run(): Promise<void> {
    while (hasPendingWake && !stopped) {
      hasPendingWake = false
      try {
        const freeSlots = () => MAX_IN_FLIGHT - inFlight.fresh.size - inFlight.retries.size
        const moreRetries = await fillQueue(
          'retries',
          Math.min(freeSlots(), MAX_RETRIES_IN_FLIGHT - inFlight.retries.size),
        )
        const moreFresh = await fillQueue('fresh', freeSlots())
        mayHaveMore = moreRetries || moreFresh
      } catch (error) {
        log.warn({ fault: describeError(error) }, 'the outbox could not be read')
      }
    }
    currentRound = undefined
  }

  const pollTimer = setInterval(() => worker.wake(), POLL_INTERVAL_MS)
  const purgeJob = startIntervalJob(log, 'purging the outbox', HOUR_MS, async (stopping) => {
    await purgeCapturedMails(db)
    while (!stopping.aborted && (await purgeFinishedMails(db)));
  })

  const worker: MailWorker = {
    wake() {
      hasPendingWake = true
      if (!stopped) currentRound ??= run()
    },
    async stop() {
      stopped = true
      clearInterval(pollTimer)
      await Promise.all([currentRound, purgeJob.stop()])
      const all = Promise.all([...inFlight.fresh, ...inFlight.retries])
      await withTimeout(all, STOP_TIMEOUT_MS).catch(() => log.warn('mails in flight were left to their leases'))
    },
  }
  worker.wake()
  return worker
}
