import { AlarmClock, FileCheck, Hourglass } from 'lucide-react'
import { daysUntilDue } from '~/lib/time/due-days'
import { m } from '~/paraglide/messages'

/** When the documents of a dispute are due, and when they arrived. */
type Due = { documents_due_at: string; documents_received_at: string | null }

/** Says how many days are left to send the documents, or that they have arrived. */
export function describeDue({ documents_due_at, documents_received_at }: Due, now: number) {
  if (documents_received_at) return { tone: 'good', icon: FileCheck, text: m.admin_documents_received() } as const
  const days = daysUntilDue(documents_due_at, now)
  if (Date.parse(documents_due_at) < now) {
    const text = days === 0 ? m.admin_overdue() : m.admin_overdue_days({ count: -days })
    return { tone: 'danger', icon: AlarmClock, text } as const
  }
  const text = days === 0 ? m.admin_due_today() : m.admin_due_in_days({ count: days })
  return { tone: 'warn', icon: Hourglass, text } as const
}
