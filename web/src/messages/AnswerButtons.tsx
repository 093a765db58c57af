import { CarFront, Footprints, Heart, type LucideIcon, Timer } from 'lucide-react'
import { useId } from 'react'
import type { Answer } from '#contract/messages.ts'
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

type Props = {
  /** Offered above these already. */
  offered: Answer | null
  pending: Answer | null
  disabled: boolean
  onAnswer: (answer: Answer) => void
}

/** Offers the answers that are sent by one tap; the quick replies below only fill in the text. */
export function AnswerButtons({ offered, pending, disabled, onAnswer }: Props) {
  const hint = useId()
  const shown = Object.entries(ANSWER_BUTTONS).filter(([answer]) => answer !== offered)
  return (
    <fieldset className="grid gap-2" aria-describedby={hint}>
      <legend className="mb-0.5 font-bold">{m.answer_title()}</legend>
      <p id={hint} className="text-sm text-ink-soft">
        {m.answer_hint()}
      </p>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {shown.map(([answer, { icon: Icon, label }]) => (
          <button
            key={answer}
            type="button"
            // not `disabled`, which would drop the focus
            aria-disabled={disabled || undefined}
            aria-busy={pending === answer || undefined}
            className="flex min-h-12 items-center justify-center gap-2 rounded-xl bg-pine-soft px-2 font-bold sm:px-3.5 text-pine [&:first-child:nth-last-child(odd)]:col-span-2 hover:ring-2 hover:ring-pine aria-disabled:opacity-60"
            onClick={() => !disabled && onAnswer(answer as Answer)}
          >
            <Icon aria-hidden="true" className="size-5 shrink-0" />
            {label()}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
