import type { ComponentProps } from 'react'
import { m } from '~/paraglide/messages'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & {
  value: string | undefined
  /** Maximum length in characters; shows how many are left when the text comes close. */
  maxCharacters: number
} & ComponentProps<'textarea'>

const SHOW_COUNT_FROM = 0.8

/** Renders a field of several lines. The text is never cut; a field error says when it is too long. */
export function TextArea({ label, hint, error, optional, maxCharacters, ...area }: Props) {
  const used = Array.from(area.value ?? '').length
  const remaining = maxCharacters - used
  return (
    <Field {...{ label, hint, error, optional }}>
      {(control) => (
        <>
          <textarea rows={5} translate="no" {...area} {...control} className="control block resize-y leading-relaxed" />
          {/* always rendered, so that screen readers announce its text when it gets one */}
          <p
            aria-live="polite"
            className="text-right text-sm tabular-nums text-ink-soft empty:hidden data-over:font-bold data-over:text-danger"
            data-over={remaining < 0 ? '' : undefined}
          >
            {used >= maxCharacters * SHOW_COUNT_FROM &&
              (remaining < 0 ? m.characters_over({ count: -remaining }) : m.characters_left({ count: remaining }))}
          </p>
        </>
      )}
    </Field>
  )
}
