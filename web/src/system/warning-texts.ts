import type { HealthWarning } from '#contract/health.ts'
import { m } from '~/paraglide/messages'

type WarningText = { title: (inputs: { subject: string }) => string; toDo: () => string }

/** What is wrong, and what to do about it. The subject is the name of a job or of a process. */
export const WARNINGS: Record<HealthWarning['code'], WarningText> = {
  no_worker: { title: m.health_warning_no_worker, toDo: m.health_todo_no_worker },
  pool_exhausted: { title: m.health_warning_pool_exhausted, toDo: m.health_todo_pool_exhausted },
  disk_low: { title: m.health_warning_disk_low, toDo: m.health_todo_disk_low },
  mails_late: { title: m.health_warning_mails_late, toDo: m.health_todo_mails_late },
  mails_failed: { title: m.health_warning_mails_failed, toDo: m.health_todo_mails_failed },
  mails_returned: { title: m.health_warning_mails_returned, toDo: m.health_todo_mails_returned },
  pushes_late: { title: m.health_warning_pushes_late, toDo: m.health_todo_pushes_late },
  job_failed: { title: m.health_warning_job_failed, toDo: m.health_todo_job_failed },
  job_late: { title: m.health_warning_job_late, toDo: m.health_todo_job_late },
  event_loop_slow: { title: m.health_warning_event_loop_slow, toDo: m.health_todo_event_loop_slow },
  backup_failed: { title: m.health_warning_backup_failed, toDo: m.health_todo_backup_failed },
  backup_unknown: { title: m.health_warning_backup_unknown, toDo: m.health_todo_backup_unknown },
  backup_old: { title: m.health_warning_backup_old, toDo: m.health_todo_backup_old },
  backup_readable: { title: m.health_warning_backup_readable, toDo: m.health_todo_backup_readable },
  versions_differ: { title: m.health_warning_versions_differ, toDo: m.health_todo_versions_differ },
}
