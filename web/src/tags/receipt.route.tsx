import { BellRing, Clock, MailCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { guestLanguageSlot, guestTexts } from '~/guest/guest-texts'
import { href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { slot } from '~/lib/plain-form/slots'
import { LocalTime, PlainForm, PlainFormButton, PlainFormFailure } from '~/plain-form/PlainForm'
import { Button } from '~/ui/Button'
import { buttonClass } from '~/ui/button-class'
import { Card } from '~/ui/Card'
import { Disclosure } from '~/ui/Disclosure'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { PlateField } from '~/ui/PlateField'

export const handle: RouteHandle = { plainForm: true }

export const meta = () => privatePageMeta(guestTexts().receipt.title)

/**
 * Renders /r#<receipt>: what became of a message left at a vehicle (decision windshield-tag). Its form asks for that; the server
 * responds with the same page, also to the message itself. Scripts ask by themselves (tags/tag-script.ts).
 */
export default function ReceiptPage() {
  const { receipt, tag, common } = guestTexts()
  const heading = 'text-3xl font-extrabold text-balance outline-none'
  return (
    <>
      <div role="status" data-receipt-state={slot('STATE')} data-next-in-ms={slot('NEXT_IN_MS')} className="grid gap-5">
        <h1 tabIndex={-1} data-if={slot('BLANK')} className={heading}>
          {receipt.title}
        </h1>
        <h1 tabIndex={-1} data-if={slot('LEFT')} className={heading}>
          {receipt.left}
        </h1>
        <h1 tabIndex={-1} data-if={slot('ANSWERED')} className={heading}>
          {receipt.answered}
        </h1>
        <div data-if={slot('GONE')} className="grid gap-4">
          <h1 tabIndex={-1} className={heading}>
            {receipt.title}
          </h1>
          <p className="text-lg">{receipt.gone}</p>
          <a
            href={`${href(paths.tag())}?language=${guestLanguageSlot('language')}`}
            className={buttonClass('primary', 'lg')}
          >
            {tag.title}
          </a>
        </div>
        <div data-if={slot('URGENT')}>
          <EmergencyCall title={receipt.urgent} call={common.call_911} />
        </div>
        <div data-if={slot('REASON')}>
          <Card className="grid gap-2">
            <p className="text-lg font-bold">{slot('REASON')}</p>
            <LocalTime at={slot('LEFT_AT')} text={receipt.left_at} />
          </Card>
        </div>
        <p data-if={slot('LEFT')} className="flex items-start gap-3 text-lg">
          <Clock aria-hidden="true" className="mt-1 size-5 shrink-0 text-pine" />
          <span>
            <strong className="block">{receipt.waiting}</strong>
            <span className="hidden scripted:inline">{receipt.keep_open}</span>
            <LocalTime at={slot('LATE_AT')} text={receipt.late_at} />
          </span>
        </p>
        <div data-if={slot('ANSWERED')} className="grid gap-1 rounded-2xl bg-pine-soft p-5">
          <MailCheck aria-hidden="true" className="size-7 text-pine" />
          <p data-if={slot('ANSWER')} data-answer="" className="text-xl font-bold">
            {slot('ANSWER')}
          </p>
          {/* on whose clock the time is shown, scripts know */}
          <p data-if={slot('TIMED_ANSWER')} className="text-xl font-bold scripted:hidden">
            {slot('TIMED_ANSWER')}
          </p>
          <LocalTime at={slot('COMING_BY')} text={receipt.coming_by} data-answer="" className="text-xl font-bold" />
          <LocalTime at={slot('CAME_BY')} text={receipt.came_by} data-answer="" className="text-xl font-bold" />
          <p data-if={slot('REPLY')} dir="auto" className="text-lg whitespace-pre-wrap">
            {slot('REPLY')}
          </p>
          <LocalTime at={slot('REPLIED_AT')} text={receipt.answered_at} />
        </div>
      </div>
      <div className="mt-5 grid gap-5">
        <PlainFormFailure />
        <PlainForm
          action={href(paths.receipt())}
          data-receipt=""
          data-network={common.network}
          data-failed={common.failed}
          className="scripted:hidden"
        >
          <input type="hidden" name="language" defaultValue={guestLanguageSlot('language')} />
          <input type="hidden" name="receipt" defaultValue={slot('RECEIPT')} />
          <div data-if={slot('LEFT')}>
            <PlainFormButton>{receipt.check}</PlainFormButton>
          </div>
        </PlainForm>
        <div data-rest="" className="grid gap-5">
          <WhenNobodyComes />
          <div data-if={slot('ANSWERED')} data-register="">
            <Card className="grid justify-items-start gap-3">
              <h2 className="text-xl font-bold">{receipt.register_title}</h2>
              <p>{receipt.register_text}</p>
              {/* the plate is carried there by scripts alone: it must not stand in an address */}
              <form
                method="get"
                action={href(paths.signup())}
                data-new-vehicle={href(paths.newVehicle())}
                className="grid w-full gap-4"
              >
                <div className="hidden scripted:block">
                  <PlateField label={receipt.your_plate} />
                </div>
                <button type="submit" className={buttonClass('primary', 'lg')}>
                  {receipt.register}
                </button>
              </form>
            </Card>
          </div>
        </div>
        <NotifyThisPhone />
      </div>
    </>
  )
}

/** Offers what is left when nobody answers, or comes: to ask once more, a note on paper, and whom to call. */
function WhenNobodyComes() {
  const { receipt } = guestTexts()
  return (
    <div data-if={slot('LATE')} className="grid gap-3">
      <div data-if={slot('CAN_ASK')}>
        <PlainForm action={href(paths.receipt())} data-network={guestTexts().common.network} className="grid">
          <input type="hidden" name="language" defaultValue={guestLanguageSlot('language')} />
          <input type="hidden" name="receipt" defaultValue={slot('RECEIPT')} />
          <input type="hidden" name="again" defaultValue="yes" />
          <PlainFormButton icon={BellRing}>{receipt.ask_again}</PlainFormButton>
        </PlainForm>
      </div>
      <p data-if={slot('ASKED')} className="font-semibold">
        {receipt.asked}
      </p>
      <Opened title={receipt.note_title}>
        <p>{receipt.note_text}</p>
        {(['en', 'fr'] as const).map((language) => (
          <p key={language} lang={language} dir="ltr" translate="no" className="text-lg font-bold">
            {slot(`REASON_${language.toUpperCase()}`)}
          </p>
        ))}
      </Opened>
      <Opened title={receipt.call_title}>
        <p>{receipt.call_text}</p>
        <p className="flex gap-3">
          {['911', '311'].map((number) => (
            <a key={number} href={`tel:${number}`} className={buttonClass('secondary', 'lg')}>
              {number}
            </a>
          ))}
        </p>
      </Opened>
    </div>
  )
}

const Opened = ({ title, children }: { title: string; children: ReactNode }) => (
  <Disclosure title={title} className="rounded-2xl bg-sunken px-5 py-1">
    <div className="grid gap-3 pb-4">{children}</div>
  </Disclosure>
)

/** Offers a notification of the answer on this phone; only scripts show it, where it is possible. */
function NotifyThisPhone() {
  const { receipt, common } = guestTexts()
  return (
    <div hidden data-push={slot('PUSH_KEY')} className="grid justify-items-start gap-2">
      <Button icon={BellRing} size="lg">
        {receipt.tell_me}
      </Button>
      <p
        role="status"
        data-on={receipt.telling}
        data-blocked={receipt.blocked}
        data-failed={common.failed}
        className="empty:hidden"
      />
    </div>
  )
}
