import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing, ChevronDown, Phone } from 'lucide-react'
import { useState } from 'react'
import { nudgeMessage, type SentMessage } from '#contract/messages.ts'
import { DAY_MS } from '#contract/time.ts'
import { MUNICIPALITIES, type Municipality, NUMBERS_CHECKED_AT } from '#contract/who-to-call.ts'
import { formatDate } from '~/lib/dates/dates'
import { call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { browserStore } from '~/lib/page/storage'
import { useNow } from '~/lib/time/use-now'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'

/** Offers the one reminder about a message nobody has answered, and whom else to call while it may still matter. */
export function NoAnswer({ message }: { message: SentMessage }) {
  const queries = useQueryClient()
  const isRecent = Date.parse(message.inserted_at) > useNow() - DAY_MS
  const nudge = useMutation({
    mutationFn: () => call(nudgeMessage, { id: message.id }),
    onSuccess: () => toast.success(m.nudge_done()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4">
      {message.nudged ? (
        <p className="text-sm text-ink-soft">{m.nudge_used()}</p>
      ) : (
        <div className="grid gap-2 sm:flex sm:flex-wrap sm:items-center sm:gap-4">
          <Button pending={nudge.isPending} onClick={() => nudge.mutate()}>
            {!nudge.isPending && <BellRing aria-hidden="true" className="size-5" />}
            {m.nudge_send()}
            <span translate="no" className="sr-only">
              {message.plate}
            </span>
          </Button>
          <p className="text-sm text-ink-soft">{m.nudge_hint()}</p>
        </div>
      )}
      {isRecent && <WhoToCall />}
    </div>
  )
}

const STORAGE_KEY = 'municipality'

/** Says whom to call when nobody comes: 911 in danger, else the numbers of the municipality somebody chooses, which this browser remembers. */
function WhoToCall() {
  const [chosen, setChosen] = useState(() => browserStore.getItem(STORAGE_KEY) ?? '')
  const locale = getLocale()
  const municipality = MUNICIPALITIES.find(({ id }) => id === chosen)
  const choose = (id: string) => {
    setChosen(id)
    browserStore.setItem(STORAGE_KEY, id)
  }
  return (
    <details className="group">
      <summary className="link flex min-h-11 w-fit items-center gap-1.5">
        {m.call_title()}
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="grid gap-3 pb-1">
        <p className="max-w-prose font-semibold">{m.call_danger()}</p>
        <div className="max-w-xs">
          <Select
            label={m.call_where()}
            value={chosen}
            onChange={(event) => choose(event.target.value)}
            options={[
              { value: '', label: m.call_elsewhere() },
              ...MUNICIPALITIES.map(({ id, name }) => ({
                value: id,
                label: name({}, { locale }),
                translate: 'no' as const,
              })),
            ]}
          />
        </div>
        {municipality ? <Numbers municipality={municipality} /> : <p className="max-w-prose">{m.call_anywhere()}</p>}
      </div>
    </details>
  )
}

function Numbers({ municipality: { police, city } }: { municipality: Municipality }) {
  const locale = getLocale()
  const contacts = [
    { number: police.number, text: m.call_police({ name: police.name({}, { locale }) }) },
    { number: city.number, text: m.call_city({ name: city.name({}, { locale }) }) },
  ]
  return (
    <>
      <ul className="grid gap-2">
        {contacts.map(({ number, text }) => (
          <li key={text} className="flex items-start gap-2">
            <Phone aria-hidden="true" className="mt-1 size-4 shrink-0 text-pine" />
            <span>
              {text}
              {number !== null && (
                <>
                  {' '}
                  <a href={`tel:${number}`} className="link font-bold min-[18rem]:whitespace-nowrap">
                    {number}
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft">{m.call_checked({ date: formatDate(NUMBERS_CHECKED_AT) })}</p>
    </>
  )
}
