// chunk: fields

import * as z from 'zod/mini'
import { PlateInput, Province } from './fields.ts'

/** The oldest model year that can be registered. */
const OLDEST_MODEL_YEAR = 1980

/** Returns the model years that can be registered, newest first (requirements §5). */
export const modelYears = (now: Date): number[] =>
  Array.from({ length: now.getFullYear() - OLDEST_MODEL_YEAR + 1 }, (_, i) => now.getFullYear() - i)

const catalogueName = z.string().check(z.trim(), z.minLength(1, 'required'), z.maxLength(60))

/** The registration form (requirements §5). The server alone checks that make and model are in the catalogue, and the year by its clock. */
export const VehicleForm = z.object({
  plate: PlateInput,
  make: catalogueName,
  model: catalogueName,
  registration_year: z.number().check(z.int('year_unlisted'), z.minimum(OLDEST_MODEL_YEAR, 'year_unlisted')),
  province: Province,
})

export const NewVehicle = z.extend(VehicleForm, {
  registration_year: VehicleForm.shape.registration_year.check(
    z.refine((year) => year <= new Date().getFullYear(), 'year_future'),
  ),
})
export type NewVehicle = z.output<typeof NewVehicle>
