import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & {
  autoComplete: 'current-password' | 'new-password'
} & Omit<ComponentProps<'input'>, 'type'>

/** Renders a password field whose text can be shown. */
export function PasswordField({ label, hint, error, optional, ...input }: Props) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...{ label, hint, error, optional }}>
      {(control) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className="control pr-13"
          />
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-[0.625rem] text-ink-soft hover:text-ink"
            aria-pressed={shown}
            aria-label={m.password_show()}
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden="true" className="size-5" />
          </button>
        </div>
      )}
    </Field>
  )
}
