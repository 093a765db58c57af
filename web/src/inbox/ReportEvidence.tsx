import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OpenedReport } from '#contract/inbox.ts'
import { provinceName } from '#contract/provinces.ts'
import { reasonName } from '#contract/reasons.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DateTime } from '~/ui/signed-in/RelativeTime'
import { reportReasonText } from './inbox-texts.ts'

/** Shows what was reported, as it was at that moment, and what the reporters said. */
export function ReportEvidence({ opened }: { opened: OpenedReport }) {
  const { evidence, image, reports, side } = opened
  return (
    <Card className="grid gap-5">
      <h3 className="text-xl font-bold">{m.inbox_evidence()}</h3>
      {evidence ? (
        <>
          <QuotedText title={m.inbox_side_message()} at={evidence.inserted_at} marked={side === 'message'}>
            {reasonName(evidence.reason, getLocale()) && (
              <span className="block font-bold">{reasonName(evidence.reason, getLocale())}</span>
            )}
            {evidence.content}
          </QuotedText>
          {image && <HiddenImage source={image} />}
          {evidence.reply !== null && (
            <QuotedText title={m.inbox_side_reply()} at={evidence.replied_at} marked={side === 'reply'}>
              {evidence.reply}
            </QuotedText>
          )}
          <p className="text-sm text-ink-soft">
            {evidence.typed_plate === null ? m.inbox_note() : m.inbox_written_to({ plate: evidence.typed_plate })}{' '}
            {evidence.vehicle
              ? `${evidence.vehicle.make} ${evidence.vehicle.model}, ${provinceName(evidence.vehicle.province, getLocale())}`
              : evidence.typed_plate !== null && m.inbox_vehicle_gone()}
          </p>
        </>
      ) : (
        <p className="font-bold text-danger">{m.inbox_unreadable()}</p>
      )}
      <h4 className="text-lg font-bold">{m.inbox_reporters_said()}</h4>
      <ul className="grid gap-3">
        {reports.map(({ id, reason, note, created_at }) => (
          <li key={id} className="grid gap-1">
            <p className="flex flex-wrap gap-x-3">
              <span className="font-bold">{reportReasonText(reason)}</span>
              <span className="text-ink-soft">
                <DateTime iso={created_at} />
              </span>
            </p>
            {note && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{note}</p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type QuotedTextProps = { title: string; at: string | null; marked: boolean; children: ReactNode }

/** Shows one text of the conversation; the reported one is marked. */
function QuotedText({ title, at, marked, children }: QuotedTextProps) {
  return (
    <figure className="grid gap-1.5">
      <figcaption className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
        <span className="font-bold">{title}</span>
        {at && <DateTime iso={at} />}
        {marked && <span className="font-bold text-danger">{m.inbox_this_was_reported()}</span>}
      </figcaption>
      <blockquote
        dir="auto"
        className={`max-w-prose rounded-lg border-l-4 bg-sunken px-4 py-3 whitespace-pre-line wrap-anywhere ${marked ? 'border-danger' : 'border-line-strong'}`}
      >
        {children}
      </blockquote>
    </figure>
  )
}

/** Shows an image once a button is pressed: nobody has to see it who does not want to. */
function HiddenImage({ source }: { source: string }) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="grid justify-items-start gap-3">
      <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
        <Icon aria-hidden="true" className="size-5" />
        {shown ? m.inbox_hide_image() : m.inbox_show_image()}
      </Button>
      {shown && <img src={source} alt={m.inbox_image_alt()} className="max-h-128 max-w-full rounded-lg" />}
    </div>
  )
}
