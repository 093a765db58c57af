import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { displayPlate } from '#contract/plates.ts'
import { type Province, provinceName } from '#contract/provinces.ts'
import type { Form } from '~/lib/form/use-form'
import { getLocale } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import type { VehicleFormValues } from './form-draft.ts'
import { checkPlateFormat } from './plate-formats.ts'
import { catalogueQuery } from './queries.ts'
import { catalogueText } from './vehicle-name.ts'

/** The pause in typing after which the plate is checked. */
const DEBOUNCE_MS = 700

/** Asks for the plate, with its province on top. A hint below says when it looks mistyped for that province. */
export function VehiclePlateField({ form }: { form: Form<VehicleFormValues> }) {
  const { plate, province } = form.values
  const field = form.register('plate')
  // not as the field loses the focus: the hint would push away what is being pressed
  const debouncedPlate = useDebouncedValue(plate, DEBOUNCE_MS)
  const showsHint = !field.error && province !== '' && formatHint(debouncedPlate, province) !== null

  return (
    <PlateField
      label={m.vehicles_plate()}
      hint={m.vehicles_plate_hint()}
      province={province || undefined}
      note={showsHint ? formatHint(plate, province) : null}
      {...field}
    />
  )
}

/** Returns a hint that the plate may be mistyped; null when it looks usual. */
function formatHint(typed: string, province: Province): ReactNode {
  const check = checkPlateFormat(displayPlate(typed), province)
  if (!check) return null
  if (check.kind === 'lookalike') return verbatim(m.vehicles_plate_lookalike({ plate: check.plate }), check.plate)
  const example = displayPlate(check.example)
  return verbatim(m.vehicles_plate_unusual({ province: provinceName(province, getLocale()), example }), example)
}

/** Returns the value as it was when it last stayed the same for `afterMs`. */
function useDebouncedValue<T>(value: T, afterMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return debounced
}

const toOptions = (names: readonly string[]) =>
  names.map((value) => ({ value, label: catalogueText(value), ...(catalogueText(value) === value && KEPT) }))
const KEPT = { translate: 'no' } as const

/** Asks for the make and, once it is chosen, for one of its models (requirements §5). */
export function MakeModelFields({ form }: { form: Form<VehicleFormValues> }) {
  const { data, error, refetch, isFetching } = useQuery(catalogueQuery)
  const { make } = form.values
  const model = form.register('model')
  const models = data?.[make] ?? []

  return (
    <>
      <div className="grid gap-2">
        <Select
          label={m.vehicles_make()}
          placeholder={data || error ? m.vehicles_make_choose() : m.loading()}
          options={toOptions(Object.keys(data ?? {}))}
          // a model belongs to one make: another make clears it
          {...form.register('make', () => form.setValue('model', ''))}
        />
        {error && !data && (
          <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-danger-soft p-3">
            <p className="text-danger">{m.vehicles_catalogue_failed()}</p>
            <Button pending={isFetching} onClick={() => void refetch()}>
              {m.action_retry()}
            </Button>
          </div>
        )}
      </div>
      <Select
        label={m.vehicles_model()}
        placeholder={make ? m.vehicles_model_choose() : m.vehicles_model_after_make()}
        options={toOptions(models)}
        disabled={!make}
        {...model}
        error={make ? model.error : undefined}
      />
    </>
  )
}
