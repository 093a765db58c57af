import { faultOf } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import { HOUR_MS, MINUTE_MS, repeat } from '../repeat.ts'
import { claimMails, LEASE_S, type Lease, type Queue, TEXT_REFUSED } from './claim-mails.ts'
import { purgeKeptMails } from './kept-mails.ts'
import { renderMail } from './layout.ts'
import type { MailKind, Outbox } from './outbox.ts'
import { dropMail, markDeferred, markFailed, markSent, purgeEnded } from './queries.ts'
import type { ClaimedMail, Renderers, SupportMail } from './render.ts'
import type { Delivery, Transport } from './transport.ts'

const SECOND_MS = 1000

const POLL_MS = SECOND_MS
const IN_FLIGHT = 5
// the rest is always free for fresh mails: addresses whose server stalls cannot take all places
const RETRIES_IN_FLIGHT = 3
const RETRY_BASE_MS = 5 * SECOND_MS
const RETRY_MOST_MS = 30 * MINUTE_MS
// with the 20 s of the delivery it stays inside the lease
const RENDER_TIMEOUT_MS = 8 * SECOND_MS
const STOP_TIMEOUT_MS = 20 * SECOND_MS

export type Worker = Outbox & {
  /** Takes no more mails and waits for those in flight, at most 20 s; what is unfinished then comes back when its lease ends. */
  stop(): Promise<void>
}

/** Mails that hold what another person wrote, unless the reader wants it left out. */
const QUOTING: MailKind[] = ['message', 'reply']

/** Whether a mail holds what another person wrote. */
const quotes = (mail: ClaimedMail | SupportMail) =>
  mail.kind === 'contact' ? mail.withText : QUOTING.includes(mail.kind) && mail.preferences.email_message_text

/** How a mail ended here; `dropped`: its renderer had nothing to say. */
type End = Delivery | { state: 'dropped' }

/** 5 s, 10 s, 20 s … up to 30 min, each spread over ±20 % so that mails of one outage do not come back as one herd. */
export const retryDelayMs = (attempts: number, baseMs: number, random: number): number =>
  Math.min(baseMs * 2 ** (attempts - 1), RETRY_MOST_MS) * (0.8 + 0.4 * random)

/** The promise's value, or a rejection when it takes longer. */
async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), timeoutMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/**
 * Sends what is in the outbox (design §4). Any number of workers, in any number of processes, may share a database: a
 * mail is held under a lease of 30 s, and one whose worker died comes back when it ends. So a mail is sent at least
 * once, and twice only if a worker dies between the server's yes and the commit that notes it. Messages of one owner
 * that come within five minutes of a mail share the next one (docs/decisions/0028).
 *
 * @param retryBaseMs the first delay before a mail is tried again; later ones double
 */
export function startWorker(
  parts: Omit<Parts, 'outbox'>,
  renderers: Renderers,
  transport: Transport,
  { retryBaseMs = RETRY_BASE_MS }: { retryBaseMs?: number } = {},
): Worker {
  const { config, db, log } = parts
  const inFlight: Record<Queue, Set<Promise<void>>> = { fresh: new Set(), retries: new Set() }
  let stopped = false
  let again = false
  let round: Promise<void> | undefined

  const support = { to: config.SUPPORT_EMAIL, locale: 'en' } as const
  const write = (mail: ClaimedMail | SupportMail) => {
    const all = { ...parts, outbox: worker }
    return mail.kind === 'contact' ? renderers.contact(all, mail) : renderers[mail.kind](all, mail)
  }

  async function tryOnce(lease: Lease): Promise<End> {
    const { mail } = lease
    try {
      const content = await within(write(mail), RENDER_TIMEOUT_MS)
      if (!content) return { state: 'dropped' }
      const { to, locale } = mail.kind === 'contact' ? support : mail
      const rendered = renderMail(content, { locale, config })
      const end = await transport.deliver({ id: mail.id, to, subject: content.subject, ...rendered })
      if (end.state !== 'refused') return end
      // one writer's words must not keep the reader from hearing of the others, or of anything at all
      if (end.what === 'content' && quotes(mail)) return { state: 'deferred', word: TEXT_REFUSED }
      // our own address is a setting, and can be put right
      return mail.kind === 'contact' ? { state: 'deferred', word: end.word } : end
    } catch (error) {
      log.error({ mail: mail.id, kind: mail.kind, fault: faultOf(error) }, 'mail could not be written')
      return { state: 'deferred', word: 'fault' }
    }
  }

  function note(lease: Lease, end: End): Promise<boolean> {
    if (end.state === 'sent') return markSent(db, lease)
    // the sender of a message must not see that its owner wants no mails: to them it ends like one that left
    if (end.state === 'dropped') return lease.mail.kind === 'message' ? markSent(db, lease) : dropMail(db, lease)
    if (end.state === 'refused') return markFailed(db, lease, end.word)
    return markDeferred(db, lease, end.word, retryDelayMs(lease.attempts, retryBaseMs, Math.random()))
  }

  async function handle(lease: Lease): Promise<void> {
    const { id, kind } = lease.mail
    const leaseEndsMs = performance.now() + LEASE_S * SECOND_MS
    const end = await tryOnce(lease)
    if (end.state === 'refused' || end.state === 'deferred') {
      log.warn({ mail: id, kind, attempts: lease.attempts, word: end.word }, `mail ${end.state}`)
    }
    // a sent mail that is not noted would go out again: worth more than one try
    for (;;) {
      try {
        if (!(await note(lease, end))) log.warn({ mail: id, kind }, 'mail was taken over by another worker')
        return
      } catch (error) {
        log.error({ mail: id, kind, fault: faultOf(error) }, 'the end of a mail could not be noted')
        if (performance.now() + SECOND_MS > leaseEndsMs) return
        await new Promise((resolve) => setTimeout(resolve, SECOND_MS))
      }
    }
  }

  /** Starts what is due in one queue; answers whether there may be more than there was place for. */
  async function fill(queue: Queue, places: number): Promise<boolean> {
    if (places <= 0) return true
    const { leases, full, settled } = await claimMails(db, queue, places)
    for (const lease of leases) {
      const running = handle(lease).finally(() => {
        inFlight[queue].delete(running)
        if (more) worker.wake()
      })
      inFlight[queue].add(running)
    }
    // rows that share a mail, or were put off, have left places to others
    if (full && settled && leases.length < places) again = true
    return full
  }

  let more = false
  async function run(): Promise<void> {
    while (again && !stopped) {
      again = false
      try {
        const free = () => IN_FLIGHT - inFlight.fresh.size - inFlight.retries.size
        const moreRetries = await fill('retries', Math.min(free(), RETRIES_IN_FLIGHT - inFlight.retries.size))
        const moreFresh = await fill('fresh', free())
        more = moreRetries || moreFresh
      } catch (error) {
        log.warn({ fault: faultOf(error) }, 'the outbox could not be read')
      }
    }
    round = undefined
  }

  const polling = setInterval(() => worker.wake(), POLL_MS)
  const purging = repeat(log, 'purging the outbox', HOUR_MS, async (stopping) => {
    await purgeKeptMails(db)
    while (!stopping.aborted && (await purgeEnded(db)));
  })

  const worker: Worker = {
    wake() {
      again = true
      if (!stopped) round ??= run()
    },
    async stop() {
      stopped = true
      clearInterval(polling)
      await Promise.all([round, purging.stop()])
      const all = Promise.all([...inFlight.fresh, ...inFlight.retries])
      await within(all, STOP_TIMEOUT_MS).catch(() => log.warn('mails in flight were left to their leases'))
    },
  }
  worker.wake()
  return worker
}
