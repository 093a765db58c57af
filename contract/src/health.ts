import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'

// The health of the installation, for admins (decision process-health). Nothing here has a text or a whole address of anyone.

/** What needs doing, the most urgent first. The same conditions are alert rules in operations/alert-rules.yaml. */
export const WARNING_CODES = [
  'no_worker',
  'pool_exhausted',
  'disk_low',
  'mails_late',
  'mails_failed',
  'mails_returned',
  'pushes_late',
  'job_failed',
  'job_late',
  'event_loop_slow',
  'backup_failed',
  'backup_unknown',
  'backup_old',
  'backup_readable',
  'versions_differ',
] as const
export const HealthWarning = z.object({
  code: z.enum(WARNING_CODES),
  /** The job or the process it is about; null: the whole installation. */
  subject: z.nullable(z.string()),
})
export type HealthWarning = z.infer<typeof HealthWarning>

/** Counts stop here, so that a long queue costs no more than a short one. */
export const COUNT_MAX = 100_000

const Queue = z.object({
  /** Those that are due and those that wait on purpose; `COUNT_MAX` means so many or more. */
  waiting: z.number(),
  /** Since when the oldest that is due waits; null: none is due. */
  oldest_at: z.nullable(z.iso.datetime()),
})

/** Why an email came back: there is no such address, its mailbox is full, our server or the email is not wanted, or another reason. */
export const RETURN_REASONS = ['gone', 'full', 'blocked', 'other'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

export const JobFigures = z.object({
  name: z.string(),
  every_s: z.number(),
  started_at: z.iso.datetime(),
  /** Null: the first run has not ended. */
  took_ms: z.nullable(z.number()),
  ok: z.nullable(z.boolean()),
  /** The code of the error, never its text. */
  error: z.nullable(z.string()),
  succeeded_at: z.nullable(z.iso.datetime()),
})
export type JobFigures = z.infer<typeof JobFigures>

export const ProcessFigures = z.object({
  id: z.uuid(),
  role: z.enum(['web', 'worker', 'all']),
  version: z.string(),
  node: z.string(),
  started_at: z.iso.datetime(),
  streams: z.number(),
  pool_size: z.number(),
  pool_in_use: z.number(),
  pool_waiting: z.number(),
  /** Since its last report: how many got no connection in time. */
  pool_refused: z.number(),
  event_loop_delay_ms: z.number(),
  memory_bytes: z.number(),
  disk_free_bytes: z.nullable(z.number()),
  disk_total_bytes: z.nullable(z.number()),
})
export type ProcessFigures = z.infer<typeof ProcessFigures>

export const Health = z.object({
  at: z.iso.datetime(),
  warnings: z.array(HealthWarning),
  mails: z.extend(Queue, {
    failed: z.number(),
    /** Those that left in a day, and how many of them came back. */
    sent_in_a_day: z.number(),
    returned_in_a_day: z.number(),
    /** How many addresses emails come back from, by the reason, the commonest first. */
    unreachable: z.array(z.object({ reason: z.enum(RETURN_REASONS), count: z.number() })),
  }),
  pushes: Queue,
  jobs: z.array(JobFigures),
  /** Each writes its own figures every 30 s; one not seen for two minutes is not listed. */
  processes: z.array(ProcessFigures),
  database: z.object({ version: z.string(), schema: z.number(), bytes: z.number() }),
  /** When the last one succeeded, and whether the last one that was tried did; null: none is known. */
  backup: z.object({
    succeeded_at: z.nullable(z.iso.datetime()),
    ok: z.nullable(z.boolean()),
    /** Whether the last one that succeeded is encrypted. */
    is_encrypted: z.nullable(z.boolean()),
  }),
})
export type Health = z.infer<typeof Health>

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/admin/health',
  audience: 'admin',
  summary: 'How the installation fares: queues, jobs, processes, database, backups, and what needs doing.',
  output: Health,
})

/** Why an email failed, without the mail server’s own words, which may quote the email. */
const MAIL_ERRORS = ['refused', 'busy', 'login', 'unreachable', 'encryption', 'no_address', 'fault'] as const

export const FailedMail = z.object({
  id: z.uuid(),
  kind: z.string(),
  /** The recipient’s address, with most of its letters hidden; null: someone without an account, to whom we replied. */
  to: z.nullable(z.string()),
  failed_at: z.iso.datetime(),
  error: z.enum(MAIL_ERRORS),
  /** The mail server’s reply code, such as `550`, where there was one. */
  response: z.nullable(z.string()),
})
export type FailedMail = z.infer<typeof FailedMail>

export const listFailedMails = endpoint({
  method: 'GET',
  path: '/api/admin/failed-mails',
  audience: 'admin',
  summary: 'The emails that were given up, the newest first. They are deleted 30 days after they were written.',
  input: PageParams,
  output: pageOf(FailedMail),
})

export const retryFailedMail = endpoint({
  method: 'POST',
  path: '/api/admin/failed-mails/:id/retry',
  audience: 'admin',
  summary: 'Has one failed email sent again. Recorded in the audit log.',
  input: IdParam,
})

const MailCount = z.object({ count: z.number() })

export const retryFailedMails = endpoint({
  method: 'POST',
  path: '/api/admin/failed-mails/retry',
  audience: 'admin',
  summary: 'Has all failed emails sent again. Recorded in the audit log.',
  output: MailCount,
})

export const retryWaitingMails = endpoint({
  method: 'POST',
  path: '/api/admin/waiting-mails/hurry',
  audience: 'admin',
  summary: 'Has the emails that wait for their next try sent right away. Recorded in the audit log.',
  output: MailCount,
})
