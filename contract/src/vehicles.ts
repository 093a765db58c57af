// chunk: signed-in

import * as z from 'zod/mini'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { Province } from './fields.ts'
import { NewVehicle } from './new-vehicle.ts'
import { VehicleRole } from './vehicle-role.ts'

/** Every status a vehicle can have (requirements §4). */
export const VehicleStatus = z.enum(['pending_verification', 'active', 'verified', 'approved', 'rejected'])
export type VehicleStatus = z.infer<typeof VehicleStatus>

type VehicleAction = 'receiveMessage' | 'approve' | 'reject'

/** The statuses in which each action is allowed: pages hide their buttons by it, and the server enforces it. */
const allowedStatuses: Record<VehicleAction, VehicleStatus[]> = {
  receiveMessage: ['active', 'verified'],
  approve: ['pending_verification', 'active', 'approved', 'rejected'],
  reject: ['pending_verification', 'active', 'approved', 'verified'],
}

/** Returns whether an action is allowed for a vehicle of this status. */
export const vehicleCan = (action: VehicleAction, { status }: { status: VehicleStatus }): boolean =>
  allowedStatuses[action].includes(status)

/** The owner's role in an open dispute, and when documents are due (decision plate-disputes). */
const VehicleDispute = z.object({
  documents_due_at: z.iso.datetime(),
  role: z.enum(['incumbent', 'challenger']),
})

/** A vehicle as its owner or one of its drivers sees it. */
export const Vehicle = z.object({
  id: z.uuid(),
  plate: z.string(),
  make: z.string(),
  model: z.string(),
  registration_year: z.number(),
  province: Province,
  status: VehicleStatus,
  /** Whether its owner has paused it (decision quiet-hours): whatever its status is, senders read that it is not active. */
  paused: z.boolean(),
  created_at: z.iso.datetime(),
  dispute: z.nullable(VehicleDispute),
  /** Whether it was rejected by the product alone, because nothing had arrived by the due date (decision plate-disputes). */
  rejected_automatically: z.boolean(),
  /** Why it was rejected, for its owner while it is; also null when that cannot be read any more. */
  reject_reason: z.nullable(z.string()),
  /** What the caller is to it (decision vehicle-people); only the owner changes or removes it. */
  role: VehicleRole,
  /** Whether it has drivers besides its owner. */
  shared: z.boolean(),
})
export type Vehicle = z.infer<typeof Vehicle>

export const registerPlate = endpoint({
  method: 'POST',
  path: '/register-plate',
  audience: 'verified',
  summary: 'Registers a plate, or starts a dispute when somebody else has it.',
  // older clients send their own id and address; another user's id is rejected (decision server-authorization)
  input: z.extend(NewVehicle, { user_id: z.optional(z.string()), email: z.optional(z.string()) }),
  output: z.object({ status: z.enum(['registered', 'dispute_started']), vehicle: Vehicle }),
})

export const listVehicles = endpoint({
  method: 'GET',
  path: '/api/vehicles',
  audience: 'user',
  summary: 'The own vehicles and those one drives, newest first.',
  // at most a few dozen per user, but paged like every list
  input: PageParams,
  output: pageOf(Vehicle),
})

export const updateVehicle = endpoint({
  method: 'PATCH',
  path: '/api/vehicles/:id',
  audience: 'user',
  summary: 'Pauses an own vehicle, so that nobody can send messages to it, or ends the pause.',
  input: z.extend(IdParam, { paused: z.boolean() }),
  output: Vehicle,
})

export const deleteVehicle = endpoint({
  method: 'DELETE',
  path: '/api/vehicles/:id',
  audience: 'user',
  summary: 'Removes an own vehicle. The messages it received stay with their senders.',
  input: IdParam,
})

/** Models by make; the static catalogue of the registration form (requirements §3). */
const MakeModels = z.record(z.string(), z.array(z.string()))

export const getMakeModels = endpoint({
  method: 'GET',
  path: '/make_models.json',
  audience: 'public',
  summary: 'The catalogue of makes and models.',
  output: MakeModels,
})
