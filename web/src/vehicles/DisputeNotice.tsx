import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Mail, Scale } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useId } from 'react'
import type { Vehicle } from '#contract/vehicles.ts'
import { documentsQuery } from '~/documents/queries'
import type { SendDocumentsProps } from '~/documents/SendDocuments'
import { formatDueDate } from '~/lib/dates/dates'
import { siteSetting, supportMailto } from '~/lib/page/site'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { Plate } from '~/ui/Plate'
import { Skeleton } from '~/ui/Skeleton'
import type { RemovalReason } from './use-remove-vehicle.ts'

/** Loaded in a dispute only. Without a connection the email remains. */
const SendDocuments = lazy(async (): Promise<{ default: ComponentType<SendDocumentsProps> }> => {
  try {
    return { default: (await import('~/documents/SendDocuments')).SendDocuments }
  } catch {
    return { default: () => null }
  }
})

type DisputeRoleTexts = {
  title: () => string
  text: () => string
  request: (facts: { date: string }) => string
  /** What happens when the date passes. */
  next: () => string
  /** The way out for an owner who does not claim the plate. */
  exit: { reason: RemovalReason; text: () => string }
}

const challenger: DisputeRoleTexts = {
  title: m.vehicles_dispute_challenger_title,
  // true as well where the plate is not paused for who had it first (decision plate-disputes)
  text: m.vehicles_dispute_challenger_text,
  request: m.vehicles_dispute_ask,
  next: m.vehicles_dispute_challenger_next,
  exit: { reason: 'withdrawn', text: m.vehicles_withdraw },
}
const incumbent: DisputeRoleTexts = {
  title: m.vehicles_dispute_incumbent_title,
  text: m.vehicles_dispute_paused,
  request: m.vehicles_dispute_ask,
  next: m.vehicles_dispute_incumbent_next,
  exit: { reason: 'sold', text: m.vehicles_sold },
}
/** A verified owner still receives messages meanwhile (decision plate-disputes). */
const verifiedOwner: DisputeRoleTexts = {
  ...incumbent,
  text: m.vehicles_dispute_verified_text,
  request: m.vehicles_dispute_verified_ask,
  next: m.vehicles_dispute_verified_next,
}

/** A plate that a challenge does not pause keeps receiving messages too (decision plate-disputes). */
const liveOwner: DisputeRoleTexts = {
  ...incumbent,
  text: m.vehicles_dispute_live_text,
  request: m.vehicles_dispute_verified_ask,
  next: m.vehicles_dispute_verified_next,
}

const INCUMBENT_TEXTS: Partial<Record<Vehicle['status'], DisputeRoleTexts>> = {
  verified: verifiedOwner,
  active: liveOwner,
}

type Props = {
  vehicle: Vehicle
  dispute: NonNullable<Vehicle['dispute']>
  onRemove: (reason: RemovalReason) => void
  /** Shows the plate too, for a notice outside the card of its vehicle. */
  standalone?: boolean
}

/**
 * Explains a dispute over a plate to one of its two owners: what it means for them, which documents to send how and until
 * when, and which lines of them to cover. The wording is that of the emails (server/src/disputes/email-texts.ts).
 */
export function DisputeNotice({ vehicle, dispute, onRemove, standalone = false }: Props) {
  const { plate, province, status } = vehicle
  const title = useId()
  const waits = useQuery(documentsQuery(vehicle.id)).data?.waits_for_admin ?? false
  const side = dispute.role === 'challenger' ? challenger : (INCUMBENT_TEXTS[status] ?? incumbent)
  // still open after its due date: the challenger's documents have arrived, and a decision is pending (decision plate-disputes)
  const isPastDue = Date.parse(dispute.documents_due_at) < useNow()
  const request = isPastDue ? m.vehicles_dispute_late_ask : side.request
  const Heading = standalone ? 'h2' : 'h3'
  return (
    <section
      aria-labelledby={title}
      className="grid content-start gap-x-6 gap-y-4 rounded-xl bg-signal-soft p-4 sm:col-span-full sm:p-5 md:grid-flow-col md:grid-cols-[auto] md:justify-start"
    >
      {standalone && <Plate plate={plate} province={province} className="self-start justify-self-start" />}
      <div className="grid gap-2">
        <Heading id={title} className="flex items-start gap-2 text-lg font-bold">
          <Scale aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {side.title()}
        </Heading>
        <p className="max-w-prose">{side.text()}</p>
        <p className="max-w-prose font-semibold">{request({ date: formatDueDate(dispute.documents_due_at) })}</p>
        <ul className="grid list-disc gap-1 pl-6">
          <li>{m.vehicles_dispute_licence()}</li>
          <li>{m.vehicles_dispute_registration()}</li>
        </ul>
        <details className="group max-w-prose">
          <summary className="link flex min-h-11 w-fit items-center gap-1.5">
            {m.vehicles_dispute_cover()}
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
          </summary>
          <div className="grid gap-2 pb-2">
            <p>{m.vehicles_dispute_cover_text()}</p>
            <p>{m.vehicles_dispute_privacy()}</p>
          </div>
        </details>
        <Suspense fallback={<Skeleton className="h-48 max-w-prose rounded-xl" />}>
          <SendDocuments
            vehicleId={vehicle.id}
            plate={plate}
            heading={standalone ? 'h3' : 'h4'}
            endsWithoutDocuments={isPastDue && dispute.role === 'challenger'}
          />
        </Suspense>
        {waits ? (
          <p className="max-w-prose font-semibold">{m.vehicles_dispute_waiting()}</p>
        ) : (
          !isPastDue && <p className="max-w-prose">{side.next()}</p>
        )}
        <p className="max-w-prose">{m.vehicles_dispute_or_reply()}</p>
        <div className="flex flex-col gap-3 pt-2 sm:flex-row sm:flex-wrap">
          <a
            href={supportMailto(m.vehicles_dispute_subject({ plate }))}
            className={buttonClass('secondary', 'md', 'text-left! wrap-anywhere')}
          >
            <Mail aria-hidden="true" className="size-5" />
            {m.vehicles_dispute_write({ address: siteSetting('SUPPORT_EMAIL') })}
          </a>
          <Button onClick={() => onRemove(side.exit.reason)}>{side.exit.text()}</Button>
        </div>
      </div>
    </section>
  )
}
