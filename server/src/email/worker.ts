import type { AppContext } from '../context.ts'
import { type LeaseWorker, retryDelayMs, startLeaseWorker } from '../jobs/lease-worker.ts'
import { describeError } from '../log/safe-error.ts'
import { SECOND_MS, withTimeout } from '../time.ts'
import { UNREACHABLE } from './failed-mails.ts'
import { forReturn, inboundAddress } from './inbound-address.ts'
import { renderMail } from './layout.ts'
import { type Lease, leaseMails, TEXT_REJECTED } from './lease-mails.ts'
import type { LeasedMail, LeasedMailWithoutAccount, MailRenderers } from './mail-content.ts'
import type { MailKind } from './outbox.ts'
import { deleteMail, markFailed, markMailDeferred, markSent, renewMailLeases } from './queries.ts'
import type { DeliveryResult, Transport } from './transport.ts'

const POLL_INTERVAL_MS = SECOND_MS
const MAX_IN_FLIGHT = 5
// leaves slots for fresh emails: addresses whose server stalls cannot occupy all of them
const MAX_RETRIES_IN_FLIGHT = 3
const RETRY_BASE_MS = 5 * SECOND_MS
const RENDER_TIMEOUT_MS = 8 * SECOND_MS
const STOP_TIMEOUT_MS = 20 * SECOND_MS

/** Emails that quote what another person wrote, unless the recipient does not want that. */
const KINDS_WITH_USER_TEXT: MailKind[] = ['message', 'nudge', 'reply']
/** Whether the email can do without what another person wrote. That of the contact page cannot: it is nothing else. */
const quotesUserText = (mail: LeasedMail | LeasedMailWithoutAccount) =>
  'preferences' in mail && KINDS_WITH_USER_TEXT.includes(mail.kind) && mail.preferences.email_message_text

/** How this worker's try ended; `dropped` when the renderer returned no email. */
type Outcome = DeliveryResult | { state: 'dropped' }

/**
 * Starts sending the emails in the outbox (decision email-outbox). An email is sent at least once, and twice only if a worker
 * dies after the server accepted the email and before that is committed (decision email-outbox). Messages to one owner that arrive within
 * five minutes of an email share the next one (decision message-emails).
 *
 * @param retryBaseMs the delay before the first retry of an email; each further one doubles it
 * @param now the time by which quiet hours are judged
 */
export function startMailWorker(
  context: Omit<AppContext, 'outbox'>,
  renderers: MailRenderers,
  transport: Transport,
  { retryBaseMs = RETRY_BASE_MS, now = () => new Date() }: { retryBaseMs?: number; now?: () => Date } = {},
): LeaseWorker {
  const { config, db, keyring, log } = context
  /** Outcomes are no longer recorded after it; what was sent may then be sent again by another worker. */
  let endsAtMs = Number.POSITIVE_INFINITY

  /** Returns the email with its recipient; null to drop it. */
  const render = async (mail: LeasedMail | LeasedMailWithoutAccount) => {
    const appContext = { ...context, outbox: worker }
    if (!('to' in mail)) return renderers[mail.kind](appContext, mail)
    const content = await renderers[mail.kind](appContext, mail)
    return content && { ...content, to: mail.to, locale: mail.locale }
  }

  async function tryOnce(lease: Lease): Promise<Outcome> {
    const { mail } = lease
    try {
      const content = await withTimeout(render(mail), RENDER_TIMEOUT_MS)
      if (!content) return { state: 'dropped' }
      if (lease.isPaused) return { state: 'refused', rejected: 'address', reason: UNREACHABLE }
      const { to, locale } = content
      const returnPath = inboundAddress(config, keyring, forReturn(to), mail.id)
      const rendered = renderMail(content, { locale, config })
      const result = await transport.deliver({ id: mail.id, to, returnPath, ...rendered })
      if (result.state !== 'refused') return result
      // one sender's text must not keep the recipient from being notified, least of all about other messages
      if (result.rejected === 'content' && quotesUserText(mail)) return { state: 'deferred', reason: TEXT_REJECTED }
      // our own address is a setting, which can be corrected; a text stays to be sent again from the list of failed emails
      const isOurAddress = result.rejected === 'address' && mail.kind === 'contact'
      return isOurAddress ? { state: 'deferred', reason: result.reason } : result
    } catch (error) {
      log.error({ mail: mail.id, kind: mail.kind, error: describeError(error) }, 'mail could not be written')
      return { state: 'deferred', reason: 'fault' }
    }
  }

  /** Deletes an email that nobody is to get; one about messages counts as sent. */
  function recordDropped(lease: Lease): Promise<boolean> {
    const { mail } = lease
    if (mail.kind !== 'message') return deleteMail(db, lease)
    // the sender must not learn that the owner wants no emails: those look sent, also by when the next one does
    return mail.preferences.email_messages ? markSent(db, lease, 0) : markSent(db, lease)
  }

  function recordOutcome(lease: Lease, outcome: Outcome): Promise<boolean> {
    if (outcome.state === 'sent') return markSent(db, lease)
    if (outcome.state === 'dropped') return recordDropped(lease)
    if (outcome.state === 'refused') return markFailed(db, lease, outcome.reason)
    return markMailDeferred(db, lease, outcome.reason, retryDelayMs(lease.attempts, retryBaseMs, Math.random()))
  }

  async function handle(lease: Lease): Promise<void> {
    const { id, kind } = lease.mail
    const outcome = await tryOnce(lease)
    if ('reason' in outcome) {
      log.warn({ mail: id, kind, attempts: lease.attempts, reason: outcome.reason }, `mail ${outcome.state}`)
    }
    // a sent email that is not recorded would be sent again: worth as many tries as it takes
    for (;;) {
      try {
        if (!(await recordOutcome(lease, outcome)))
          log.warn({ mail: id, kind }, 'mail was taken over by another worker')
        return
      } catch (error) {
        log.error({ mail: id, kind, error: describeError(error) }, 'the end of a mail could not be noted')
        if (performance.now() + SECOND_MS > endsAtMs) return
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
        lease: (limit) => leaseMails(db, 'retries', limit, now()),
      },
      { pollMs: POLL_INTERVAL_MS, lease: (limit) => leaseMails(db, 'fresh', limit, now()) },
    ],
    handle,
    renewal: { renew: (leases) => renewMailLeases(db, leases), ping: () => db`select 1` },
    maxInFlight: MAX_IN_FLIGHT,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  })
  return {
    wake: worker.wake,
    async stop() {
      endsAtMs = performance.now() + STOP_TIMEOUT_MS
      await worker.stop()
    },
  }
}
