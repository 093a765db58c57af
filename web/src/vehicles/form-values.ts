import { NewVehicle } from '#contract/new-vehicle.ts'
import type { Province } from '#contract/provinces.ts'

/** The values of the registration form; empty where nothing is chosen. */
export type VehicleFormValues = {
  plate: string
  make: string
  model: string
  registration_year: string
  province: Province | ''
}

/** Parses the values of the form into a vehicle, or what is wrong with them. */
export const parseVehicleForm = ({ registration_year: year, ...values }: VehicleFormValues) =>
  NewVehicle.safeParse({ ...values, registration_year: year === '' ? undefined : Number(year) })
