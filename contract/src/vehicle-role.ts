// chunk: signed-in

import * as z from 'zod/mini'

/** What somebody is to a vehicle (decision vehicle-people). */
export const VehicleRole = z.enum(['owner', 'driver'])
export type VehicleRole = z.infer<typeof VehicleRole>
