import type { AppContext, Outbox } from '../context.ts'
import { startIntervalJob } from '../jobs/interval-job.ts'
import { retryDelayMs, startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import { HOUR_MS, SECOND_MS, withTimeout } from '../time.ts'
import { purgeCapturedMails } from './captured-mails.ts'
import { renderMail } from './layout.ts'
import { LEASE_DURATION_S, type Lease, leaseMails, TEXT_REJECTED } from './lease-mails.ts'
import type { LeasedMail, MailRenderers, SupportMail } from './mail-content.ts'
import type { MailKind } from './outbox.ts'
import { deleteMail, markDeferred, markFailed, markSent, purgeFinishedMails } from './queries.ts'
import type { DeliveryResult, Transport } from './transport.ts'

const POLL_INTERVAL_MS = SECOND_MS
const MAX_IN_FLIGHT = 5
// the rest is always free for fresh mails: addresses whose server stalls cannot take all places
const MAX_RETRIES_IN_FLIGHT = 3
const RETRY_BASE_MS = 5 * SECOND_MS
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
    if ('reason' in end) log.warn({ mail: id, kind, attempts: lease.attempts, word: end.reason }, `mail ${end.state}`)
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

  const worker = startLeaseWorker<Lease>(log, {
    work: 'mails',
    source: 'the outbox',
    queues: [
      {
        maxInFlight: MAX_RETRIES_IN_FLIGHT,
        pollMs: POLL_INTERVAL_MS,
        lease: (limit) => leaseMails(db, 'retries', limit),
      },
      { pollMs: POLL_INTERVAL_MS, lease: (limit) => leaseMails(db, 'fresh', limit) },
    ],
    handle,
    maxInFlight: MAX_IN_FLIGHT,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
  const purgeJob = startIntervalJob(log, 'purging the outbox', HOUR_MS, async (stopping) => {
    await purgeCapturedMails(db)
    while (!stopping.aborted && (await purgeFinishedMails(db)));
  })
  return {
    wake: worker.wake,
    stop: async () => void (await Promise.all([worker.stop(), purgeJob.stop()])),
  }
}
