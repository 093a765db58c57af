import { BellRing, Clock, MailCheck } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { getReceipt, type Receipt, subscribeToReceipt } from '#contract/tags.ts'
import { GUEST_FORM_ID, guestTime, useGuest } from '~/guest/guest-language'
import { ApiError, call } from '~/lib/http/api'
import { loadModule } from '~/lib/http/load-module'
import { href } from '~/lib/i18n/i18n'
import { isPushSupported, useHydrated } from '~/lib/page/browser-state'
import { privatePageMeta } from '~/lib/page/page-meta'
import { carryPlate } from '~/lib/registration/carried-plate'
import { getStoredUser } from '~/lib/session/stored-session'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PlateField } from '~/ui/PlateField'

export const meta = () => privatePageMeta(m.receipt_title())

const POLL_INTERVAL_MS = 4_000

/** Renders /r#<receipt>: the live status of a message left at a vehicle (decision windshield-tag). */
export default function ReceiptPage() {
  const hydrated = useHydrated()
  const { hash } = useLocation()
  const { texts } = useGuest()
  if (!hydrated)
    return (
      <>
        <h1 className="text-3xl font-extrabold">{texts.receipt.title}</h1>
        {/* without scripts the language select belongs to this form; the page after the first message has a button of its own */}
        <form id={GUEST_FORM_ID} />
      </>
    )
  const receipt = /^#([\w-]+)$/.exec(hash)?.[1] ?? ''
  return <LiveReceipt key={receipt} receipt={receipt} />
}

type State = { receipt: Receipt | null; failure: 'gone' | 'network' | null }

/** Fetches the status of the message, now and every few seconds while the page is visible, until it is answered. */
function useReceipt(receipt: string): State {
  const [state, setState] = useState<State>({ receipt: null, failure: receipt === '' ? 'gone' : null })
  useEffect(() => {
    if (receipt === '') return undefined // an address without a receipt
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      clearTimeout(timer)
      if (document.hidden) return
      try {
        const read = await call(getReceipt, { receipt }, { signal: ended.signal })
        setState({ receipt: read, failure: null })
        if (read.state === 'answered') return
      } catch (error) {
        if (ended.signal.aborted) return
        const isGone = error instanceof ApiError && [400, 404].includes(error.status)
        setState((before) => ({ ...before, failure: isGone ? 'gone' : 'network' }))
        if (isGone) return
      }
      timer = setTimeout(() => void ask(), POLL_INTERVAL_MS)
    }
    const onReturn = () => void ask()
    document.addEventListener('visibilitychange', onReturn)
    void ask()
    return () => {
      document.removeEventListener('visibilitychange', onReturn)
      clearTimeout(timer)
      ended.abort()
    }
  }, [receipt])
  return state
}

function LiveReceipt({ receipt }: { receipt: string }) {
  const { language, texts } = useGuest()
  const { receipt: read, failure } = useReceipt(receipt)
  const at = (template: string, time: string) => template.replace('{time}', guestTime(language, time))
  if (failure === 'gone')
    return (
      <>
        <h1 className="text-3xl font-extrabold">{texts.receipt.title}</h1>
        <p role="status" className="mt-4 text-lg">
          {texts.receipt.gone}
        </p>
      </>
    )
  const isAnswered = read?.state === 'answered'
  return (
    <>
      <h1 className="text-3xl font-extrabold text-balance">
        {read === null ? texts.receipt.title : isAnswered ? texts.receipt.answered : texts.receipt.left}
      </h1>
      <div className="mt-6 grid gap-5">
        {read && (
          <Card className="grid gap-2">
            <p className="text-lg font-bold">{texts.reasons[read.reason]}</p>
            <p className="text-sm text-ink-soft">{at(texts.receipt.left_at, read.left_at)}</p>
          </Card>
        )}
        <div role="status" className="grid gap-5">
          {read && !isAnswered && (
            <p className="flex items-start gap-3 text-lg">
              <Clock aria-hidden="true" className="mt-1 size-5 shrink-0 text-pine" />
              <span>
                <strong className="block">{texts.receipt.waiting}</strong>
                {texts.receipt.keep_open}
              </span>
            </p>
          )}
          {isAnswered && (
            <div className="grid gap-1 rounded-2xl bg-pine-soft p-5">
              <MailCheck aria-hidden="true" className="size-7 text-pine" />
              {read.answer !== null && <p className="text-lg font-bold">{texts.answers[read.answer]}</p>}
              {read.reply && (
                <p dir="auto" className="text-lg whitespace-pre-wrap wrap-anywhere">
                  {read.reply}
                </p>
              )}
              {read.replied_at && (
                <p className="text-sm text-ink-soft">{at(texts.receipt.answered_at, read.replied_at)}</p>
              )}
            </div>
          )}
          {failure === 'network' && <p className="font-semibold text-danger">{texts.common.network}</p>}
        </div>
        {read?.push_key && !isAnswered && <NotifyThisPhone receipt={receipt} publicKey={read.push_key} />}
        {isAnswered && (
          <Card className="grid justify-items-start gap-3">
            <h2 className="text-xl font-bold">{texts.receipt.register_title}</h2>
            <p>{texts.receipt.register_text}</p>
            <RegisterPlate />
          </Card>
        )}
      </div>
    </>
  )
}

/** Leads to an account with the guest's own plate, which is filled in there. */
function RegisterPlate() {
  const { texts } = useGuest()
  const navigate = useNavigate()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('plate')
    const plate = typeof typed === 'string' ? displayPlate(typed) : ''
    if (plate !== '') carryPlate({ plate }) // the form there says what may be wrong with it
    void navigate(href(getStoredUser() === null ? paths.signup() : paths.newVehicle()))
  }
  return (
    <form onSubmit={submit} className="grid w-full gap-4">
      <PlateField label={texts.receipt.your_plate} name="plate" />
      <Button type="submit" variant="primary" size="lg">
        {texts.receipt.register}
      </Button>
    </form>
  )
}

/** Offers a notification of the answer on this phone; the code for it is loaded with the first tap. */
function NotifyThisPhone({ receipt, publicKey }: { receipt: string; publicKey: string }) {
  const { texts } = useGuest()
  const [state, setState] = useState<'offered' | 'pending' | 'on' | 'blocked' | 'failed'>('offered')

  async function subscribe() {
    setState('pending')
    try {
      if ((await Notification.requestPermission()) !== 'granted') return setState('blocked')
      const { subscribeToPush } = await loadModule(import('~/lib/push/push-subscription'))
      await call(subscribeToReceipt, { receipt, ...(await subscribeToPush(publicKey)) }, { withTimeout: true })
      setState('on')
    } catch {
      setState('failed')
    }
  }

  if (!isPushSupported()) return null
  return (
    <div className="grid justify-items-start gap-2">
      {state === 'on' || (
        <Button size="lg" pending={state === 'pending'} onClick={() => void subscribe()}>
          <BellRing aria-hidden="true" className="size-5" />
          {texts.receipt.tell_me}
        </Button>
      )}
      <p role="status" className="empty:hidden">
        {state === 'on' && texts.receipt.telling}
        {state === 'blocked' && texts.receipt.blocked}
        {state === 'failed' && texts.common.failed}
      </p>
    </div>
  )
}
