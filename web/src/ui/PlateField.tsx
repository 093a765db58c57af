import clsx from 'clsx'
import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { type Province, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { normalizePlateInput } from '~/lib/plates/normalize-input'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & {
  /** Shown at the top of the plate, as chosen elsewhere in the form. */
  province?: Province | undefined
  /** See `Field`. */
  note?: ReactNode
} & Omit<ComponentProps<'input'>, 'type' | 'maxLength'>

/**
 * Renders a field that looks like a plate: upper case, no white space (requirements §5). What no plate has, and what is too long,
 * stays in it: the form refuses it.
 */
export function PlateField({ label, hint, error, optional, note, province, onChange, ...input }: Props) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    normalizePlateInput(event.target, event.nativeEvent)
    return onChange?.(event)
  }
  return (
    <Field {...{ label, hint, error, optional, note }}>
      {(control) => (
        <div
          className={clsx(
            'relative my-1 w-full max-w-96 rounded-plate bg-plate p-2 shadow-plate ring-1 ring-plate-edge',
            'has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-[light-dark(#1d5540,#ffcf70)]',
          )}
        >
          <div className="grid rounded-[0.5rem] border-2 border-plate-ink pt-2 pb-1 has-aria-invalid:border-[#b0241c]">
            <span aria-hidden="true" className="flex h-4 items-center justify-between px-5 max-[18rem]:px-0">
              <BoltHole />
              <span className="truncate px-2 text-xs font-bold tracking-widest text-plate-ink uppercase">
                {province ? provinceName(province, getLocale()) : ''}
              </span>
              <BoltHole />
            </span>
            <input
              type="text"
              autoCapitalize="characters"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="next"
              data-plate-input="" // for pages without React (lib/plain-form/plain-form.ts)
              placeholder="ABCD123"
              {...input}
              {...control}
              onChange={change}
              className="plate-digits h-[calc(1.25*min(11vw,3rem)+0.375rem)] w-full min-w-0 bg-transparent px-2 pt-1.5 text-center text-[min(11vw,3rem)] font-bold tracking-[0.08em] text-plate-ink uppercase outline-none placeholder:text-plate-ink/70 placeholder-shown:text-xl placeholder-shown:font-normal placeholder-shown:tracking-normal"
            />
          </div>
        </div>
      )}
    </Field>
  )
}

function BoltHole() {
  return <span className="size-2.5 rounded-full bg-plate-edge" />
}
