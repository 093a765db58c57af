import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { QuickActions } from './QuickActions.tsx'

/** For somebody who has nothing here yet: what to do first, and why. */
export function OnboardingCard() {
  return (
    <Card className="grid items-center gap-6 sm:grid-cols-[1fr_auto] sm:gap-10 sm:p-8">
      <div className="grid gap-3">
        <h2 className="text-2xl font-extrabold">{m.dashboard_first_title()}</h2>
        <p className="max-w-prose text-ink-soft">{m.dashboard_first_text()}</p>
        <div className="flex flex-wrap gap-3 pt-2 *:flex-1 sm:*:flex-none">
          <QuickActions primary="add" />
        </div>
      </div>
      <div aria-hidden="true" className="-order-1 justify-self-center sm:order-none sm:w-64">
        <Plate plate={m.dashboard_first_plate()} size="lg" className="w-56! -rotate-2 sm:w-64!" />
      </div>
    </Card>
  )
}
