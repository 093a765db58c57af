import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { isPlate } from '#contract/plates.ts'
import { DAY_MS } from '#contract/time.ts'
import { plateToRegister } from '~/lib/registration/carried-plate'
import { useNow } from '~/lib/time/use-now'
import { answerAt } from '~/messages/AnswerButtons'
import { messagesQuery, useHasNews } from '~/messages/queries'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { Prompt } from './DashboardPanels.tsx'

/** Shows somebody without a vehicle the newest reply until it is read, or else the message that waits for one; then what to do first: `children`. */
export function Onboarding({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const { data, isPending } = useInfiniteQuery(messagesQuery('sent'))
  const hasNews = useHasNews()
  const now = useNow()
  if (isPending) return skeleton
  const sent = data?.pages[0]?.items ?? []
  const [replied] = sent.toSorted((a, b) => (b.replied_at ?? '').localeCompare(a.replied_at ?? ''))
  const isReplied = hasNews && replied?.reply !== null
  const shown = isReplied
    ? replied
    : sent.find((one) => one.reply === null && now - Date.parse(one.inserted_at) < DAY_MS)
  return (
    <>
      {shown?.plate && ( // a note has none
        <Prompt
          plate={shown.plate}
          title={isReplied ? (answerAt(now, shown) ?? m.dashboard_replied()) : m.dashboard_reply_awaited()}
          at={shown.replied_at ?? shown.inserted_at}
          to={paths.messages('sent', shown.id)}
          action={isReplied ? m.dashboard_read_reply() : m.dashboard_see_message()}
          isSecondary={!isReplied}
        />
      )}
      <OnboardingCard>{children}</OnboardingCard>
    </>
  )
}

function OnboardingCard({ children }: { children: ReactNode }) {
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
