import type * as z from 'zod/mini'
import type { NewVehicle } from '#contract/vehicles.ts'

/** The registration form as it is filled in, before it is parsed. */
export type Answers = z.input<typeof NewVehicle>
