import { Scale } from 'lucide-react'
import type { Vehicle } from '#contract/vehicles.ts'
import { longDay } from '~/lib/dates'
import { SUPPORT_EMAIL } from '~/lib/support'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Side = { title: () => string; text: () => string; ask: (facts: { date: string }) => string }

const challenger: Side = {
  title: m.vehicles_dispute_challenger_title,
  text: m.vehicles_dispute_paused,
  ask: m.vehicles_dispute_ask,
}
const incumbent: Side = {
  title: m.vehicles_dispute_incumbent_title,
  text: m.vehicles_dispute_paused,
  ask: m.vehicles_dispute_ask,
}
const verifiedOwner: Side = {
  title: m.vehicles_dispute_verified_title,
  text: m.vehicles_dispute_verified_text,
  ask: m.vehicles_dispute_verified_ask,
}

type Props = { vehicle: Vehicle; dispute: NonNullable<Vehicle['dispute']>; onSold: () => void }

/** Two accounts say a plate is theirs: what that means for this owner, what is asked of them, and by when. */
export function DisputeNotice({ vehicle: { plate, status }, dispute, onSold }: Props) {
  const settled = status === 'verified' // its plate stays live meanwhile (design decision 5)
  const side = dispute.role === 'challenger' ? challenger : settled ? verifiedOwner : incumbent
  const subject = encodeURIComponent(m.vehicles_dispute_subject({ plate }))
  return (
    <section className="grid gap-2 rounded-xl bg-signal-soft p-4 sm:col-span-full sm:p-5">
      <h3 className="flex items-start gap-2 font-bold">
        <Scale aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        {side.title()}
      </h3>
      <p className="max-w-prose">{side.text()}</p>
      <p className="max-w-prose">
        {side.ask({ date: longDay(dispute.documents_due_at) })}{' '}
        <a href={`mailto:${SUPPORT_EMAIL}?subject=${subject}`} className="link inline-block py-0.5 break-all">
          {SUPPORT_EMAIL}
        </a>
        .
      </p>
      {dispute.role === 'incumbent' && (
        <div className="pt-1">
          <Button onClick={onSold}>{m.vehicles_sold()}</Button>
        </div>
      )}
    </section>
  )
}
