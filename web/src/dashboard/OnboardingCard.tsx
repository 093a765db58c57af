import { type ReactNode, useState } from 'react'
import { isPlate } from '#contract/plates.ts'
import { plateToRegister } from '~/lib/registration/carried-plate'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'

/** Shows a new user what to do first, and why; `children` are the actions. */
export function OnboardingCard({ children }: { children: ReactNode }) {
  const [carried] = useState(plateToRegister)
  const plate = isPlate(carried) ? carried : '' // anything else is in the form, which says what is wrong with it
  return (
    <Card className="grid grid-cols-1 items-center gap-6 sm:grid-cols-[1fr_auto] sm:gap-10 sm:p-8">
      <div className="grid gap-3">
        <h2 className="text-2xl font-extrabold">{m.dashboard_first_title()}</h2>
        <p className="max-w-prose text-ink-soft">{m.dashboard_first_text()}</p>
        <div className="flex flex-wrap gap-3 pt-2 *:flex-1 sm:*:flex-none">{children}</div>
      </div>
      <div aria-hidden="true" className="-order-1 justify-self-center sm:order-none sm:w-64">
        <Plate
          plate={plate || m.dashboard_first_plate()}
          size="lg"
          className="w-[min(14rem,57vw)]! -rotate-2 sm:w-64!"
        />
      </div>
    </Card>
  )
}
