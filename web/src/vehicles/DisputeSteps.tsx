import clsx from 'clsx'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import type { ArrivedDocuments } from '#contract/documents.ts'
import type { Vehicle } from '#contract/vehicles.ts'
import { SendDocuments, useSendDocument } from '~/documents/SendDocuments'
import { formatDueDate } from '~/lib/dates/dates'
import { verbatim } from '~/lib/i18n/verbatim'
import { siteSetting, supportMailto } from '~/lib/page/site'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { type Dispute, haveDocumentsArrived, textsOfSide } from './dispute-sides.ts'

type Props = {
  vehicle: Vehicle
  dispute: Dispute
  /** What has arrived; undefined when that could not be loaded. Documents can be sent all the same. */
  documents: ArrivedDocuments | undefined
}

const NOTHING: ArrivedDocuments = { items: [], mailed_at: null, waits_for_admin: false }

/**
 * Leads one side of a dispute through it: what has happened, which documents to send how and until when, which lines of them to
 * cover, and that a person decides. The step they are at is open.
 */
export function DisputeSteps({ vehicle, dispute, documents = NOTHING }: Props) {
  const supportEmail = siteSetting('SUPPORT_EMAIL')
  const sending = useSendDocument(vehicle.id)
  const side = textsOfSide(vehicle, dispute)
  const date = formatDueDate(dispute.documents_due_at)
  // still open after its due date: the challenger's documents have arrived, and a decision is pending (decision plate-disputes)
  const isPastDue = Date.parse(dispute.documents_due_at) < useNow()
  const hasSent = haveDocumentsArrived(dispute, documents)
  const send = useRef<HTMLHeadingElement>(null)
  const decision = useRef<HTMLHeadingElement>(null)
  const shown = useRef(hasSent)
  useEffect(() => {
    if (shown.current === hasSent) return
    shown.current = hasSent
    const opened = hasSent ? decision : send
    opened.current?.focus() // the control in use is gone with the step that closed
  }, [hasSent])
  const waiting = documents.waits_for_admin && <p className="max-w-prose">{m.vehicles_dispute_waiting()}</p>
  return (
    <>
      <p role="status" className="sr-only">
        {sending.state.state === 'sending' && m.documents_sending()}
        {sending.state.state === 'sent' && m.documents_arrived()}
      </p>
      <ol className="grid gap-3">
        <Step state="done" title={side.title()} />
        <Step
          number={2}
          state={hasSent ? 'done' : 'present'}
          title={hasSent ? m.vehicles_dispute_arrived() : m.documents_send()}
          titleRef={send}
        >
          {!hasSent && (
            <WhatToSend
              request={
                isPastDue
                  ? `${m.vehicles_dispute_late({ date })} ${m.vehicles_dispute_late_ask()}`
                  : side.request({ date })
              }
            />
          )}
          <SendDocuments
            vehicleId={vehicle.id}
            plate={vehicle.plate}
            documents={documents}
            sending={sending}
            endsWithoutDocuments={isPastDue && dispute.role === 'challenger'}
            onRemove={() => send.current?.focus()} // the pressed button disappears
          />
          {!hasSent && <p className="max-w-prose text-sm text-ink-soft">{m.documents_hint()}</p>}
          {!hasSent && (waiting || (!isPastDue && <p className="max-w-prose">{side.next()}</p>))}
          <p className="max-w-prose">
            {m.vehicles_dispute_or_reply()}{' '}
            <a href={supportMailto(m.vehicles_dispute_subject({ plate: vehicle.plate }))} className="link">
              {verbatim(m.vehicles_dispute_write({ address: supportEmail }), supportEmail)}
            </a>
          </p>
        </Step>
        <Step
          number={3}
          state={hasSent ? 'present' : 'coming'}
          title={m.vehicles_dispute_decision()}
          titleRef={decision}
        >
          {waiting || (
            <p className="max-w-prose">
              {isPastDue ? m.vehicles_dispute_late({ date }) : `${m.vehicles_dispute_until({ date })} ${side.next()}`}
            </p>
          )}
        </Step>
      </ol>
    </>
  )
}

/** Asks for the two documents, and says which lines to cover. */
function WhatToSend({ request }: { request: string }) {
  return (
    <>
      <p className="max-w-prose font-semibold">{request}</p>
      <ul className="grid list-disc gap-1 pl-6">
        <li>{m.vehicles_dispute_licence()}</li>
        <li>{m.vehicles_dispute_registration()}</li>
      </ul>
      <details className="group max-w-prose">
        <summary className="link flex min-h-11 w-fit items-center gap-1.5">
          {m.vehicles_dispute_cover()}
          <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
        </summary>
        <div className="grid gap-2 pb-2">
          <p>{m.vehicles_dispute_cover_text()}</p>
          <p>{m.vehicles_dispute_privacy()}</p>
        </div>
      </details>
    </>
  )
}

type StepProps = {
  number?: number
  state: 'done' | 'present' | 'coming'
  title: string
  titleRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
}

/** Shows one step: open when it is the present one, else as a line, which unfolds what is done. */
function Step({ number, state, title, titleRef, children }: StepProps) {
  const isPresent = state === 'present'
  const heading = (
    <h2
      ref={titleRef}
      tabIndex={-1}
      className={clsx(
        'min-h-7 content-center leading-snug outline-none',
        isPresent ? 'text-xl font-extrabold' : 'font-bold',
      )}
    >
      {state === 'done' && <span className="sr-only">{m.vehicles_dispute_done()} </span>}
      {title}
    </h2>
  )
  return (
    <li
      aria-current={isPresent ? 'step' : undefined}
      className={clsx(
        'flex items-start gap-3 px-4',
        isPresent ? 'rounded-2xl border border-line bg-surface py-4 shadow-card sm:py-5' : 'py-0.5',
        state === 'coming' && 'text-ink-soft',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'grid size-7 shrink-0 place-items-center rounded-full text-sm font-extrabold',
          state === 'done'
            ? 'bg-good-soft text-good'
            : isPresent
              ? 'bg-pine text-surface'
              : 'border border-line-strong',
        )}
      >
        {state === 'done' ? <Check className="size-4" strokeWidth={3} /> : number}
      </span>
      {state === 'done' && children ? (
        <details className="group min-w-0 flex-1">
          <summary className="-my-2 flex min-h-11 cursor-pointer items-center gap-1.5 rounded-lg">
            {heading}
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
          </summary>
          <div className="grid gap-3 pt-2 pb-3">{children}</div>
        </details>
      ) : (
        <div className="grid min-w-0 flex-1 gap-3">
          {heading}
          {isPresent && children}
        </div>
      )}
    </li>
  )
}
