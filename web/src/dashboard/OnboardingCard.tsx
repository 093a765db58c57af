import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { answerText } from '#contract/answers.ts'
import { paths } from '#contract/paths.ts'
import { isPlate } from '#contract/plates.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { plateToRegister } from '~/lib/registration/carried-plate'
import { messagesQuery } from '~/messages/queries'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Plate } from '~/ui/Plate'
import { Prompt } from './DashboardPanels.tsx'

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

/** Shows somebody who only sends the newest reply, and leads to it. */
export function LatestReply() {
  const { data } = useInfiniteQuery(messagesQuery('sent'))
  const replied = data?.pages[0]?.items.find(({ reply }) => reply !== null)
  if (!replied?.plate) return null
  return (
    <Prompt
      plate={replied.plate}
      title={answerText(replied.answer, getLocale()) ?? m.dashboard_replied()}
      at={replied.replied_at ?? replied.inserted_at}
      to={paths.messages('sent', replied.id)}
      action={m.dashboard_read_reply()}
    />
  )
}
