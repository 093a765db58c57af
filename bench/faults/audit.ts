import type { Pool } from '../../server/src/db/pool.ts'
import { type Figure, none, note } from '../figures.ts'
import type { MailSink } from './mail-sink.ts'
import type { Acknowledged } from './senders.ts'

/** What the database and the mail server have, compared with what was acknowledged. */
export type Audit = {
  acknowledged: number
  /** Acknowledged ids that are no message. */
  lost: number
  /** Messages whose id was never acknowledged: a send that was stored twice leaves one, under whatever key. */
  unacknowledged: number
  /** Acknowledgements whose message is stored under another key; of two keys with one id at least one is among them. */
  underAnotherKey: number
  /** Messages with no notification, or several. */
  notOneNotification: number
  /** Notifications of new messages that name no message, or one that is gone. */
  strayNotifications: number
  mailMissing: number
  mailLate: number
  mailDoubled: number
  /** Mails about messages that were never acknowledged, to somebody else than the owner, or that the outbox does not have. */
  strayMails: number
  slowestMailMs: number
}

/**
 * Compares what was acknowledged with everything in the database and, where there is one, the mail server. All clients have had
 * their response: a message that was not acknowledged is one too many.
 */
export async function auditSends(
  db: Pool,
  acknowledged: Acknowledged,
  sink: Pick<MailSink, 'taken'> | undefined,
  mailWithinMs: number,
): Promise<Audit> {
  const acknowledgedIds = new Set([...acknowledged.values()].map(({ id }) => id))
  const messages = await db<{ id: string; idempotency_key: string | null; notifications: number }[]>`
    select m.id, m.idempotency_key, count(n.id)::int as notifications
    from messages m left join notifications n on n.message_id = m.id
    group by m.id`
  const [strays] = await db<{ n: number }[]>`
    select count(*)::int as n from notifications n
    where type = 'message_received' and not exists (select from messages m where m.id = n.message_id)`
  const keyById = new Map(messages.map(({ id, idempotency_key }) => [id, idempotency_key]))
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledgedIds].filter((id) => !keyById.has(id)).length,
    unacknowledged: messages.filter(({ id }) => !acknowledgedIds.has(id)).length,
    underAnotherKey: [...acknowledged].filter(([key, { id }]) => keyById.has(id) && keyById.get(id) !== key).length,
    notOneNotification: messages.filter(({ notifications }) => notifications !== 1).length,
    strayNotifications: strays!.n,
    ...(await auditMails(db, acknowledged, sink?.taken, mailWithinMs)),
  }
}

/** Compares the mails that came, if there is a mail server, with the messages they are about. */
async function auditMails(
  db: Pool,
  acknowledged: Acknowledged,
  taken: MailSink['taken'] | undefined,
  mailWithinMs: number,
) {
  const audit = { mailMissing: 0, mailLate: 0, mailDoubled: 0, strayMails: 0, slowestMailMs: 0 }
  if (!taken) return audit
  const acknowledgedIds = new Set([...acknowledged.values()].map(({ id }) => id))
  const rows = await db<{ id: string; kind: string; message_id: string; to: string | null }[]>`
    select o.id, o.kind, o.ref_id as message_id, u.email as "to"
    from outbox o left join auth.users u on u.id = o.recipient_id`
  const rowById = new Map(rows.map((row) => [row.id, row]))
  const arrivals = new Map<string, number[]>()
  for (const { row: id, to, at } of taken) {
    const row = rowById.get(id)
    const isAbout = row && (row.kind !== 'message' || acknowledgedIds.has(row.message_id))
    // a mail to an address without an account has only its own recipient
    if (!isAbout || (row.to ?? to) !== to) audit.strayMails++
    else if (row.kind === 'message') arrivals.set(row.message_id, [...(arrivals.get(row.message_id) ?? []), at])
  }
  for (const { id, at } of acknowledged.values()) {
    const times = arrivals.get(id) ?? []
    if (times.length === 0) audit.mailMissing++
    else if (times[0]! - at > mailWithinMs) audit.mailLate++
    if (times.length > 1) audit.mailDoubled++
    if (times.length > 0) audit.slowestMailMs = Math.max(audit.slowestMailMs, times[0]! - at)
  }
  return audit
}

/** Returns the figures that hold after any fault: nothing acknowledged is lost, and nothing is there twice. */
export function auditFigures(audit: Audit, { withMails = true, prefix = '' } = {}): Figure[] {
  return [
    note(`${prefix}messages acknowledged`, audit.acknowledged),
    none(`${prefix}acknowledged and lost`, audit.lost),
    none(`${prefix}stored messages that were never acknowledged`, audit.unacknowledged),
    none(`${prefix}acknowledged with the id of another send`, audit.underAnotherKey),
    none(`${prefix}messages without exactly one notification`, audit.notOneNotification),
    none(`${prefix}notifications of no message`, audit.strayNotifications),
    ...(withMails ? [none(`${prefix}mails of no acknowledged message, or to somebody else`, audit.strayMails)] : []),
  ]
}
