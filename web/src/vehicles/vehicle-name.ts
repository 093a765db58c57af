import type { Vehicle } from '#contract/vehicles.ts'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'

type Named = Pick<Vehicle, 'make' | 'model' | 'registration_year'>

/** The catalogue's entry for what it does not list. */
const OTHER = 'Other'

/** Returns a make or a model as users read it: names stay as they are, 'Other' is translated. */
export const catalogueText = (name: string): string => (name === OTHER ? m.vehicles_other() : name)

/** Shows the name of a vehicle, which browsers leave as it is. */
export const VehicleName = ({ of: vehicle }: { of: Named }) =>
  verbatim(vehicleName(vehicle), vehicle.make === OTHER ? '' : vehicleName(vehicle))

/** Returns the name of a vehicle, such as 'Honda Civic 2019', without what the catalogue does not list. */
export function vehicleName({ make, model, registration_year }: Named): string {
  const parts = make === OTHER ? [m.vehicles_other_make()] : [make, model].filter((part) => part !== OTHER)
  return [...parts, registration_year].join(' ')
}
