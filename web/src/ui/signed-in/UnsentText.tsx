import { useState } from 'react'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

/** Shows what was typed about something that was decided elsewhere before it was sent; nothing when nothing was. */
export function UnsentText({ text, onDiscard }: { text: string; onDiscard?: () => void }) {
  if (!hasVisibleCharacter(text)) return null
  return (
    <section className="grid justify-items-start gap-1 rounded-xl border border-line p-4">
      <p className="font-bold">{m.unsent_title()}</p>
      <blockquote dir="auto" className="max-w-prose whitespace-pre-wrap">
        {text}
      </blockquote>
      {onDiscard && (
        <Button variant="ghost" className="-mx-2 -mb-2 px-2! text-sm!" onClick={onDiscard}>
          {m.unsent_discard()}
        </Button>
      )}
    </section>
  )
}

/**
 * Shows what is left in a draft, until it is discarded.
 *
 * @param sent what was sent meanwhile: the draft is the same when it was sent after all, without a response that said so
 */
export function UnsentDraft({ name, sent = '' }: { name: string; sent?: string }) {
  const [text, setText] = useState(() => readDraftText(name) ?? '')
  const discard = () => {
    saveDraft(name, undefined)
    setText('')
  }
  return text.trim() !== sent.trim() && <UnsentText text={text} onDiscard={discard} />
}
