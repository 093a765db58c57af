import { type ChangeEvent, type ComponentProps, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & {
  /** Maximum length in characters; shows how many are left when the text comes close. */
  maxCharacters?: number
} & ComponentProps<'textarea'>

const countCharacters = (text: unknown) => (typeof text === 'string' ? Array.from(text).length : 0)
const SHOW_COUNT_FROM = 0.8

/** Renders a field of several lines. The text is never cut; a field error says when it is too long. */
export function TextArea({ label, hint, error, optional, maxCharacters, onChange, ...area }: Props) {
  const [typed, setTyped] = useState(() => countCharacters(area.value ?? area.defaultValue))
  const used = area.value === undefined ? typed : countCharacters(area.value)
  const remaining = maxCharacters === undefined ? Number.POSITIVE_INFINITY : maxCharacters - used
  const isNearLimit = maxCharacters !== undefined && used >= maxCharacters * SHOW_COUNT_FROM
  const change = (event: ChangeEvent<HTMLTextAreaElement>) => {
    setTyped(countCharacters(event.target.value))
    return onChange?.(event)
  }
  return (
    <Field {...{ label, hint, error, optional }}>
      {(control) => (
        <>
          <textarea
            rows={5}
            translate="no"
            {...area}
            {...control}
            onChange={change}
            className="control block resize-y leading-relaxed"
          />
          {/* always rendered, so that screen readers announce its text when it gets one */}
          <p
            aria-live="polite"
            className="text-right text-sm tabular-nums text-ink-soft empty:hidden data-over:font-bold data-over:text-danger"
            data-over={remaining < 0 ? '' : undefined}
          >
            {isNearLimit &&
              (remaining < 0 ? m.characters_over({ count: -remaining }) : m.characters_left({ count: remaining }))}
          </p>
        </>
      )}
    </Field>
  )
}
