import { AlarmClock, FileCheck, Hourglass } from 'lucide-react'
import type { AdminDispute } from '#contract/admin.ts'
import { daysUntilDue } from '~/lib/time/due-days'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'

type Props = { dispute: Pick<AdminDispute, 'documents_due_at' | 'documents_received_at'> }

/** Shows how many days are left to send the documents, or that they have arrived. */
export function DueBadge({ dispute: { documents_due_at, documents_received_at } }: Props) {
  const now = useNow()
  if (documents_received_at) {
    return (
      <Badge tone="good" icon={FileCheck}>
        {m.admin_documents_received()}
      </Badge>
    )
  }
  const days = daysUntilDue(documents_due_at, now)
  if (Date.parse(documents_due_at) < now) {
    return (
      <Badge tone="danger" icon={AlarmClock}>
        {days === 0 ? m.admin_overdue() : m.admin_overdue_days({ count: -days })}
      </Badge>
    )
  }
  return (
    <Badge tone="warn" icon={Hourglass}>
      {days === 0 ? m.admin_due_today() : m.admin_due_in_days({ count: days })}
    </Badge>
  )
}
