import clsx from 'clsx'
import { CarFront, Footprints, Heart, type LucideIcon, Timer } from 'lucide-react'
import { useId } from 'react'
import { answerText, comingBy, timelyAnswers } from '#contract/answers.ts'
import { ANSWERS, type Answer, type ReceivedMessage, type SentMessage } from '#contract/messages.ts'
import { formatTimeNear } from '~/lib/dates/dates'
import { getLocale } from '~/lib/i18n/i18n'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'

type AnswerButton = { icon: LucideIcon; label: () => string }

const ANSWER_BUTTONS: Record<Answer, AnswerButton> = {
  coming: { icon: Footprints, label: m.answer_coming },
  in_5: { icon: Timer, label: m.answer_in_5 },
  in_15: { icon: Timer, label: m.answer_in_15 },
  not_my_car: { icon: CarFront, label: m.answer_not_my_car },
  thanks: { icon: Heart, label: m.answer_thanks },
}

/** Returns what the owner tapped, in the words of the button; null for no answer. */
export const answerLabel = (answer: Answer | null): string | null =>
  // a newer server may know more answers than this page
  answer === null ? null : (ANSWER_BUTTONS[answer]?.label() ?? null)

/** Returns what the sender reads of an answer, with the time by which somebody comes or was going to; null for no answer. */
export function answerAt(now: number, replied: Pick<SentMessage, 'answer' | 'replied_at'>): string | null {
  const arrivesAt = comingBy(replied)
  if (arrivesAt === null) return answerText(replied.answer, getLocale())
  const time = formatTimeNear(arrivesAt, now)
  return now < arrivesAt ? m.answer_coming_by({ time }) : m.answer_was_coming_by({ time })
}

type Props = {
  message: Pick<ReceivedMessage, 'inserted_at' | 'reason'>
  /** The answer that was tapped in a notification or an email: in colour, as going there at once is in danger. */
  offered: Answer | null
  pending: Answer | null
  disabled: boolean
  onAnswer: (answer: Answer) => void
}

/** Offers the answers that are sent by one tap and make sense by now. */
export function AnswerButtons({ message, offered, pending, disabled, onAnswer }: Props) {
  const hint = useId()
  const now = useNow()
  const timely = timelyAnswers(message, now)
  const shown = ANSWERS.filter((answer) => timely.includes(answer) || answer === offered)
  const first = offered ?? (message.reason === 'someone_inside' ? 'coming' : null)
  return (
    <fieldset className="grid gap-2" aria-describedby={hint}>
      <legend className="mb-0.5 font-bold">{m.answer_title()}</legend>
      <p id={hint} className="text-sm text-ink-soft">
        {m.answer_hint()} {m.answer_sender_reads()}
      </p>
      {offered === 'coming' && <p className="font-bold">{m.answer_offered()}</p>}
      <div className="grid gap-2 sm:grid-cols-2">
        {shown.map((answer) => {
          const { icon: Icon, label } = ANSWER_BUTTONS[answer]
          return (
            <button
              key={answer}
              type="button"
              // not `disabled`, which would drop the focus
              aria-disabled={disabled || undefined}
              aria-busy={pending === answer || undefined}
              className={clsx(
                'flex min-h-14 items-center gap-3 rounded-xl border border-transparent px-3.5 py-2 text-left leading-snug aria-disabled:opacity-60',
                answer === first
                  ? 'bg-signal text-on-signal hover:bg-signal-strong sm:first:col-span-full'
                  : 'bg-pine-soft text-pine hover:ring-2 hover:ring-pine',
              )}
              onClick={() => !disabled && onAnswer(answer)}
            >
              <Icon aria-hidden="true" className="size-5 shrink-0" />
              <span className="grid">
                <span className="font-bold">{label()}</span>
                <span className="text-sm text-balance">
                  {answerAt(now, { answer, replied_at: new Date(now).toISOString() })}
                </span>
              </span>
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}
