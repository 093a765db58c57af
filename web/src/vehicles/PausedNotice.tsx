import { CirclePause, Play } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Props = { plate: string; pending: boolean; onResume: () => void }

/** Says that nobody reaches the owner about a vehicle, and ends that with one tap. */
export function PausedNotice({ plate, pending, onResume }: Props) {
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4 sm:col-span-full sm:grid-cols-[1fr_auto] sm:items-center sm:gap-6">
      <div className="grid gap-1">
        <p className="flex items-start gap-2 font-bold">
          <CirclePause aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {m.vehicles_paused_text()}
        </p>
        <p className="max-w-prose text-sm text-ink-soft">{m.vehicles_paused_hint()}</p>
      </div>
      <Button variant="primary" pending={pending} onClick={onResume}>
        {!pending && <Play aria-hidden="true" className="size-5" />}
        {m.vehicles_resume()}
        <span className="sr-only">{plate}</span>
      </Button>
    </div>
  )
}
