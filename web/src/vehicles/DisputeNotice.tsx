import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useId } from 'react'
import { paths } from '#contract/paths.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { documentsQuery } from '~/documents/queries'
import { formatDueDate } from '~/lib/dates/dates'
import { verbatim } from '~/lib/i18n/verbatim'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { SpokenName } from '~/ui/SpokenName'
import { type Dispute, haveDocumentsArrived, textsOfSide } from './dispute-sides.ts'

type Props = {
  vehicle: Vehicle
  dispute: Dispute
  /** For a notice outside the card of its vehicle: its plate is then named. */
  standalone?: boolean
}

/** Says to one side of a dispute over a plate what has happened and until when they can act, and leads to what to do. */
export function DisputeNotice({ vehicle, dispute, standalone = false }: Props) {
  const { id, plate } = vehicle
  const title = useId()
  const documents = useQuery(documentsQuery(id)).data
  const now = useNow()
  const hasSent = documents !== undefined && haveDocumentsArrived(dispute, documents)
  const date = formatDueDate(dispute.documents_due_at)
  const Heading = standalone ? 'h2' : 'h3'
  return (
    <section
      aria-labelledby={title}
      className="grid gap-x-6 gap-y-3 rounded-xl bg-signal-soft p-4 col-span-full sm:grid-cols-[1fr_auto] sm:items-center"
    >
      <div className="grid gap-0.5">
        <Heading id={title} className="flex items-start gap-2 leading-snug font-bold">
          <Scale aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <span>
            {textsOfSide(vehicle, dispute).title()}
            {standalone && verbatim(` (${plate})`, plate)}
          </span>
        </Heading>
        <p className="pl-7">
          {hasSent
            ? m.vehicles_dispute_arrived()
            : Date.parse(dispute.documents_due_at) < now
              ? m.vehicles_dispute_were_due({ date })
              : m.vehicles_dispute_due({ date })}
        </p>
      </div>
      <ButtonLink to={paths.vehicleDispute(id)} variant={hasSent ? 'secondary' : 'primary'}>
        {hasSent ? m.vehicles_dispute_see() : m.vehicles_dispute_what_to_do()}
        <SpokenName of={plate} />
      </ButtonLink>
    </section>
  )
}
