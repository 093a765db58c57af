import { LockKeyholeOpen } from 'lucide-react'
import { useId } from 'react'
import { PURPOSE_MAX } from '#contract/inbox.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { FieldError, TextField } from '~/ui/Field'

type Props = {
  /** The ready-made purposes, as they are recorded. */
  choices: string[]
  /** Opens the text with a purpose; throws `ApiError`. */
  onOpen: (purpose: string) => Promise<void>
}

const OTHER = 'other'

/** Asks for the purpose of an opening, which is recorded: a ready-made one, or another one in the admin's own words. */
export function PurposeForm({ choices, onOpen }: Props) {
  const id = useId()
  const { values, register, setValue, pending, formProps } = useForm({
    defaultValues: { choice: '', purpose: '' },
    validate: ({ choice, purpose }) => ({
      choice: choice !== '' || m.inbox_purpose_missing(),
      purpose: choice !== OTHER || hasVisibleCharacter(purpose) || m.inbox_purpose_missing(),
    }),
    async onSubmit({ choice, purpose }) {
      try {
        await onOpen(choice === OTHER ? purpose.trim() : (choices[Number(choice)] ?? ''))
        return undefined
      } catch (error) {
        return { choice: (error instanceof ApiError ? error.fields['purpose'] : undefined) ?? errorMessage(error) }
      }
    },
  })
  const { error } = register('choice')
  return (
    <form noValidate className="grid gap-4" {...formProps}>
      <fieldset className="grid gap-1" aria-describedby={error ? `${id}-error` : undefined}>
        <legend className="pb-1 font-bold">{m.inbox_purpose()}</legend>
        <p className="text-sm text-ink-soft">{m.inbox_purpose_hint()}</p>
        {[...choices, m.inbox_purpose_other()].map((text, i) => {
          const value = i === choices.length ? OTHER : String(i)
          return (
            <label key={value} className="flex min-h-11 items-center gap-3 py-1">
              <input
                type="radio"
                name="choice"
                value={value}
                checked={values.choice === value}
                className="size-5 shrink-0 accent-pine"
                onChange={() => setValue('choice', value)}
              />
              {text}
            </label>
          )
        })}
        <FieldError id={`${id}-error`} text={error} />
      </fieldset>
      {values.choice === OTHER && (
        <TextField label={m.inbox_purpose_own()} maxLength={PURPOSE_MAX} autoComplete="off" {...register('purpose')} />
      )}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        pending={pending}
        pendingText={m.loading()}
      >
        <LockKeyholeOpen aria-hidden="true" className="size-5" />
        {m.inbox_purpose_submit()}
      </Button>
    </form>
  )
}
