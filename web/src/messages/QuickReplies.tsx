import { m } from '~/paraglide/messages'

type QuickReply = { label: () => string; text: () => string }

const QUICK_REPLIES: readonly QuickReply[] = [
  { label: m.reply_coming, text: m.reply_coming_text },
  { label: m.reply_5_minutes, text: m.reply_5_minutes_text },
  { label: m.reply_15_minutes, text: m.reply_15_minutes_text },
  { label: m.reply_not_mine, text: m.reply_not_mine_text },
  { label: m.reply_thanks, text: m.reply_thanks_text },
]

/** Adds a quick reply to what is written: replaces another quick reply, and follows anything else. */
export function withQuickReply(written: string, quickReply: string): string {
  const trimmed = written.trim()
  return trimmed === '' || QUICK_REPLIES.some(({ text }) => text() === trimmed)
    ? quickReply
    : `${trimmed} ${quickReply}`
}

/** Offers the most common replies, one tap each. */
export function QuickReplies({ onChoose }: { onChoose: (text: string, button: HTMLButtonElement) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-1.5 sm:gap-2">
      <legend className="sr-only">{m.reply_quick()}</legend>
      {QUICK_REPLIES.map(({ label, text }) => (
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
