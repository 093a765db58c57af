import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Phone } from 'lucide-react'
import { useState } from 'react'
import { nudgeMessage, type SentMessage } from '#contract/messages.ts'
import { MUNICIPALITIES, type Municipality, NUMBERS_CHECKED_AT } from '#contract/who-to-call.ts'
import { formatDate } from '~/lib/dates/dates'
import { call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { browserStore } from '~/lib/page/storage'
import { queryClient } from '~/lib/query/query-client'
import { useUser } from '~/lib/session/user'
import { toast } from '~/lib/toast/toast'
import { NoteOffer } from '~/notes/NoteOffer'
import { m } from '~/paraglide/messages'
import { preferencesQuery } from '~/preferences/queries'
import { pushSettingsQuery, pushStatusQuery, useEnablePush } from '~/push/queries'
import { Button } from '~/ui/Button'
import { Disclosure } from '~/ui/Disclosure'
import { Select } from '~/ui/Select'
import { SpokenName } from '~/ui/SpokenName'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'

type Props = {
  message: SentMessage
  /** Whether there should be an answer, or somebody, by now. */
  isLate: boolean
  /** Whether somebody may still stand there. */
  isRecent: boolean
}

/** Offers what helps whoever waits for an answer: to be told, and once it is late to ask again, a note, and whom to call. */
export function WaitOffers({ message, isLate, isRecent }: Props) {
  const { plate, content, reason, reply, image_url, collision, email_status } = message
  return (
    <div className="grid gap-3 empty:hidden">
      {reply === null && isLate && plate !== null && <AskOnceMore message={message} plate={plate} />}
      {/* an anonymous note would not do for somebody who hit the vehicle */}
      {isLate && isRecent && plate !== null && collision?.kind !== 'hit' && (
        <NoteOffer message={{ plate, content, ...(reason && { reason }) }} hasImage={image_url !== null} />
      )}
      {isLate && isRecent && <WhoToCall />}
      {reply === null && isRecent && <BeTold isEmailed={email_status !== 'failed'} />}
    </div>
  )
}

/** Offers the one reminder about a message nobody has answered. */
function AskOnceMore({ message: { id, nudged }, plate }: Pick<Props, 'message'> & { plate: string }) {
  const nudge = useMutation({
    mutationFn: () => call(nudgeMessage, { id }),
    onSuccess: () => toast.success(m.nudge_done()),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['messages'] }),
  })
  if (nudged)
    return (
      <p ref={nudge.isSuccess ? focusIfLost : undefined} tabIndex={-1} className="text-sm text-ink-soft outline-none">
        {m.nudge_used()}
      </p>
    )
  return (
    <Button variant="primary" icon={BellRing} pending={nudge.isPending} onClick={() => nudge.mutate()}>
      {m.nudge_send()}
      <SpokenName of={plate} />
    </Button>
  )
}

/** Says how else the answer comes, and offers a notification on this phone where there is none. */
function BeTold({ isEmailed }: { /** Nothing on the screen says that an email failed. */ isEmailed: boolean }) {
  const user = useUser()
  const { data: device } = useQuery(pushStatusQuery(user.id))
  const { data: settings } = useQuery(pushSettingsQuery)
  const { data: preferences } = useQuery(preferencesQuery)
  const publicKey = settings?.public_key
  const enable = useEnablePush(user.id, publicKey ?? '')
  return (
    <>
      {/* quiet hours may hold an email back */}
      {isEmailed && preferences?.quiet_from === null && <p>{m.sent_email_too()}</p>}
      {device === 'on' && enable.isSuccess && (
        <p ref={focusIfLost} tabIndex={-1} className="outline-none">
          {m.push_is_on()}
        </p>
      )}
      {publicKey && device === 'needs_install' && <p className="text-sm text-ink-soft">{m.push_needs_install()}</p>}
      {publicKey && device === 'off' && (
        <Button
          icon={BellRing}
          className="sm:justify-self-start"
          pending={enable.isPending}
          onClick={() => enable.mutate()}
        >
          {m.push_switch_on()}
        </Button>
      )}
    </>
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
    <Disclosure title={m.call_title()}>
      <div className="grid gap-3 pb-1">
        <a href="tel:911" className="link max-w-prose font-semibold">
          {m.call_danger()}
        </a>
        <div className="max-w-xs">
          <Select
            label={m.call_where()}
            value={chosen}
            onChange={(event) => choose(event.target.value)}
            options={[
              { value: '', label: m.call_choose() },
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
    </Disclosure>
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
