import type { PageParams } from '#contract/endpoint.ts'
import type { FailedMail } from '#contract/health.ts'
import { type AuditActor, formatUserSubject, recordActionWithoutReason } from '../audit/record-action.ts'
import type { Config } from '../config.ts'
import type { AppContext } from '../context.ts'
import { newId } from '../db/ids.ts'
import { MAX_UUID, readPage } from '../db/pagination.ts'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import {
  type FailedMailRow,
  type GivenUp,
  listFailed,
  retryMail,
  retryMailsBelow,
  setWaitingMailsDue,
} from '../email/failed-mails.ts'

type Addresses = Pick<Config, 'SUPPORT_EMAIL'>

/** Lists the emails that were given up, the newest first: no text of them, and of the address only what the audit log shows. */
export const listFailedMails = (db: Db, config: Addresses, paging: PageParams) =>
  readPage(
    paging,
    (before, limit) => listFailed(db, before ?? MAX_UUID, limit),
    (row) => toFailedMail(config, row),
  )

const toFailedMail = (config: Addresses, row: FailedMailRow): FailedMail => ({
  id: row.id,
  kind: row.kind,
  to: maskRecipient(config, row),
  failed_at: row.failed_at,
  ...classifyError(row.last_error),
})

/** The recipient of an email, if it is an account or ourselves. */
function maskRecipient(config: Addresses, { kind, email }: Pick<FailedMailRow, 'kind' | 'email'>): string | null {
  if (email !== null) return formatUserSubject(email)
  return kind === 'contact' ? formatUserSubject(config.SUPPORT_EMAIL) : null
}

/** Signing in at the mail server (RFC 4954 §6). */
const LOGIN_CODES = new Set(['530', '534', '535', '538'])

/** Converts a reason of `email/transport.ts` or of the worker. */
function classifyError(reason: string): Pick<FailedMail, 'error' | 'response'> {
  const code = /^smtp_(\d{3})$/.exec(reason)?.[1]
  if (code !== undefined)
    return { error: LOGIN_CODES.has(code) ? 'login' : code >= '500' ? 'refused' : 'busy', response: code }
  if (reason === 'text_refused') return { error: 'refused', response: null }
  if (reason === 'bad_address') return { error: 'no_address', response: null }
  if (reason === 'etls') return { error: 'encryption', response: null }
  if (reason === 'eauth') return { error: 'login', response: null }
  return { error: ['fault', 'database'].includes(reason) ? 'fault' : 'unreachable', response: null }
}

type RetryContext = Pick<AppContext, 'db' | 'outbox'>

/** Queues one failed email to be sent again. Returns false when it has not failed, or no longer exists. */
export async function retryFailedMail({ db, outbox }: RetryContext, actor: AuditActor, id: string): Promise<boolean> {
  const mail = await inTransaction(db, async (tx) => {
    const retried = await retryMail(tx, id)
    if (!retried) return null
    const subject = retried.email === null ? retried.kind : `${retried.kind} · ${formatUserSubject(retried.email)}`
    await recordActionWithoutReason(tx, { actor, action: 'mail_retried', subject, subjectId: id })
    return retried
  })
  if (mail) outbox.wake()
  return mail !== null
}

/** Queues all failed emails, or those that a restore has left, to be sent again, in batches. Returns how many. */
export async function retryFailedMails(
  { db, outbox }: RetryContext,
  actor: AuditActor,
  which: GivenUp = 'failed',
): Promise<number> {
  let total = 0
  for (let before: string | null = MAX_UUID; before !== null; ) {
    const below: string = before
    const { count, next } = await inTransaction(db, async (tx) => {
      const batch = await retryMailsBelow(tx, which, below)
      if (batch.count > 0) await recordCount(tx, actor, 'mails_retried', batch.count)
      return batch
    })
    outbox.wake()
    total += count
    before = next
  }
  return total
}

/** Makes the emails that wait for their next attempt due now. Returns how many. */
export async function retryWaitingMails({ db, outbox }: RetryContext, actor: AuditActor): Promise<number> {
  const count = await inTransaction(db, async (tx) => {
    const dueNow = await setWaitingMailsDue(tx)
    if (dueNow > 0) await recordCount(tx, actor, 'mails_hurried', dueNow)
    return dueNow
  })
  outbox.wake()
  return count
}

const recordCount = (tx: Db, actor: AuditActor, action: 'mails_retried' | 'mails_hurried', count: number) =>
  recordActionWithoutReason(tx, { actor, action, subject: String(count), subjectId: newId() })
