import { type ReactNode, useState } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { paths } from '#contract/paths.ts'
import { isPlate } from '#contract/plates.ts'
import { plateToRegister } from '~/lib/registration/carried-plate'
import { useNow } from '~/lib/time/use-now'
import { answerAt } from '~/messages/AnswerButtons'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { Prompt } from './DashboardPanels.tsx'

/** `isNews`: the reply has not been read. */
type Props = Pick<Dashboard, 'sent'> & { isNews: boolean; children: ReactNode }

/** Shows somebody without a vehicle the message they sent that was replied to, or waits for it; then what to do first: `children`. */
export function Onboarding({ sent, isNews, children }: Props) {
  const now = useNow()
  const isReplied = sent?.replied_at !== null
  const [carried] = useState(plateToRegister)
  const plate = isPlate(carried) ? carried : '' // anything else is in the form, which says what is wrong with it
  return (
    <>
      {sent?.plate && (
        <Prompt
          plate={sent.plate}
          title={isReplied ? (answerAt(now, sent) ?? m.dashboard_replied()) : m.dashboard_reply_awaited()}
          at={sent.replied_at ?? sent.inserted_at}
          to={paths.messages('sent', sent.id)}
          action={isReplied ? m.dashboard_read_reply() : m.dashboard_see_message()}
          tone={isNews ? 'main' : 'calm'}
        />
      )}
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
    </>
  )
}
