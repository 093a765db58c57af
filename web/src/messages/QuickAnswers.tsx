import { m } from '~/paraglide/messages'

type Answer = { label: () => string; text: () => string }

const answers: readonly Answer[] = [
  { label: m.reply_coming, text: m.reply_coming_text },
  { label: m.reply_5_minutes, text: m.reply_5_minutes_text },
  { label: m.reply_15_minutes, text: m.reply_15_minutes_text },
  { label: m.reply_not_mine, text: m.reply_not_mine_text },
  { label: m.reply_thanks, text: m.reply_thanks_text },
]

/** The reply after a quick answer was chosen: in place of another quick answer, after anything a person wrote. */
export function withAnswer(written: string, answer: string): string {
  const own = written.trim()
  return own === '' || answers.some(({ text }) => text() === own) ? answer : `${own} ${answer}`
}

/** What people at the kerb answer most, one tap each. */
export function QuickAnswers({ onChoose }: { onChoose: (text: string, button: HTMLButtonElement) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-1.5 sm:gap-2">
      <legend className="sr-only">{m.reply_quick()}</legend>
      {answers.map(({ label, text }) => (
        <button
          key={label()}
          type="button"
          className="min-h-11 rounded-full border border-line-strong bg-surface px-2.75 text-sm sm:px-4 font-semibold hover:bg-sunken active:bg-sunken"
          onClick={(event) => onChoose(text(), event.currentTarget)}
        >
          {label()}
        </button>
      ))}
    </fieldset>
  )
}
