import { m } from '#texts/messages.js'
import type { Locale } from './product.ts'

/** The background jobs, by the names that logs and metrics have, with their names for admins. */
const JOBS = {
  'deleting what is over': m.job_delete_expired,
  'tidying attachments': m.job_delete_images,
  'settling overdue disputes': m.job_settle_disputes,
  'deleting expired rate counters': m.job_delete_counts,
  'counting what happened in a week': m.job_count_weeks,
  'copying deletions beside the database': m.job_copy_deletions,
}
export type Job = keyof typeof JOBS

/** Names a job. A newer server may have jobs that a page does not know. */
export const jobName = (job: string, locale: Locale): string =>
  Object.hasOwn(JOBS, job) ? JOBS[job as Job]({}, { locale }) : job
