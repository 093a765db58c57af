import { NewVehicle } from '#contract/new-vehicle.ts'
import type { Province } from '#contract/provinces.ts'

/** The registration form as it is filled in; an empty text where nothing is chosen. */
export type VehicleFormValues = {
  plate: string
  make: string
  model: string
  registration_year: string
  province: Province | ''
}

/** The vehicle these answers name, or what is wrong with them. */
export const parseVehicleForm = ({ registration_year: year, ...answers }: VehicleFormValues) =>
  NewVehicle.safeParse({ ...answers, registration_year: year === '' ? undefined : Number(year) })
