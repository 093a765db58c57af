import * as z from 'zod/mini'
import { EmptyObject, endpoint, IdParam, NoContent, PageParams, pageOf } from './endpoint.ts'
import { Province } from './fields.ts'
import { NewVehicle } from './new-vehicle.ts'

/** Every status a vehicle can have (requirements §4). */
export const VehicleStatus = z.enum(['pending_verification', 'active', 'verified', 'approved', 'rejected'])
export type VehicleStatus = z.infer<typeof VehicleStatus>

type VehicleAction = 'receiveMessage' | 'approve' | 'reject'

/** What may be done to a vehicle in each status: screens hide buttons by it, the server refuses by it. */
const allowedStatuses: Record<VehicleAction, VehicleStatus[]> = {
  receiveMessage: ['active', 'verified'],
  approve: ['pending_verification', 'active', 'approved', 'rejected'],
  reject: ['pending_verification', 'active', 'approved', 'verified'],
}

/** Whether an action is open to a vehicle of this status. */
export const vehicleCan = (action: VehicleAction, { status }: { status: VehicleStatus }): boolean =>
  allowedStatuses[action].includes(status)

/** The owner's side in an open dispute, and until when documents are awaited (decisions 0048 to 0050). */
export const VehicleDispute = z.object({
  documents_due_at: z.iso.datetime(),
  role: z.enum(['incumbent', 'challenger']),
})

/** A vehicle as its owner sees it. */
export const Vehicle = z.object({
  id: z.uuid(),
  plate: z.string(),
  make: z.string(),
  model: z.string(),
  registration_year: z.number(),
  province: Province,
  status: VehicleStatus,
  created_at: z.iso.datetime(),
  dispute: z.nullable(VehicleDispute),
})
export type Vehicle = z.infer<typeof Vehicle>

export const registerPlate = endpoint({
  method: 'POST',
  path: '/register-plate',
  audience: 'verified',
  status: 200,
  summary: 'Registers a plate, or starts a dispute when somebody else has it.',
  // older clients name themselves; somebody else's id is refused (decision 0055)
  input: z.extend(NewVehicle, { user_id: z.optional(z.string()), email: z.optional(z.string()) }),
  output: z.object({ status: z.enum(['registered', 'dispute_started']), vehicle: Vehicle }),
})

export const listVehicles = endpoint({
  method: 'GET',
  path: '/api/vehicles',
  audience: 'user',
  status: 200,
  summary: 'The own vehicles, newest first.',
  // at most a few dozen per person, yet paged like every list
  input: PageParams,
  output: pageOf(Vehicle),
})

export const deleteVehicle = endpoint({
  method: 'DELETE',
  path: '/api/vehicles/:id',
  audience: 'user',
  status: 204,
  summary: 'Removes an own vehicle, with the messages it received.',
  input: IdParam,
  output: NoContent,
})

/** Make to models; the static catalogue of the registration form (requirements §3). */
export const MakeModels = z.record(z.string(), z.array(z.string()))
export type MakeModels = z.infer<typeof MakeModels>

export const getMakeModels = endpoint({
  method: 'GET',
  path: '/make_models.json',
  audience: 'public',
  status: 200,
  summary: 'The catalogue of makes and models.',
  input: EmptyObject,
  output: MakeModels,
})
