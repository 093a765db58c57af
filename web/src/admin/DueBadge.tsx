import { useNow } from '~/lib/time/use-now'
import { Badge } from '~/ui/Badge'
import { type Due, describeDue } from './frame/due.ts'

/** Shows how many days are left to send the documents, or that they have arrived. */
export function DueBadge({ dispute }: { dispute: Due }) {
  const { text, ...badge } = describeDue(dispute, useNow())
  return <Badge {...badge}>{text}</Badge>
}
