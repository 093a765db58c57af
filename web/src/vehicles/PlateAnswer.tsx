import { useEffect, useState } from 'react'
import { displayPlate } from '#contract/plates.ts'
import { type Province, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n'
import type { Form } from '~/lib/use-form'
import { m } from '~/paraglide/messages'
import { PlateField } from '~/ui/PlateField'
import type { Answers } from './answers.ts'
import { plateDoubt } from './plate-shapes.ts'

/** A pause in typing. */
const PAUSE_MS = 700

/** The plate, with its province on top; what looks mistyped there is doubted in a quiet line below. */
export function PlateAnswer({ form }: { form: Form<Answers> }) {
  const { plate, province } = form.values
  const field = form.field('plate')
  // not at the moment the field is left: the line would push away what is being pressed
  const paused = useSettled(plate, PAUSE_MS)
  const doubted = !field.error && province !== '' && noteOn(paused, province) !== null

  return (
    <PlateField
      label={m.vehicles_plate()}
      hint={m.vehicles_plate_hint()}
      province={province || undefined}
      note={doubted ? noteOn(plate, province) : null}
      {...field}
    />
  )
}

/** A doubt about what was typed, as a hint. */
function noteOn(typed: string, province: Province): string | null {
  const doubt = plateDoubt(displayPlate(typed), province)
  if (!doubt) return null
  return doubt.kind === 'lookalike'
    ? m.vehicles_plate_lookalike({ plate: doubt.plate })
    : m.vehicles_plate_unusual({ province: provinceName(province, getLocale()), example: doubt.example })
}

/** The value, once it has not changed for a while. */
function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
