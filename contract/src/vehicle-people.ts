// chunk: vehicle-people

import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { EmailInput } from './fields.ts'
import { VehicleRole } from './vehicle-role.ts'

/** One of the people of a vehicle; everybody of it sees all of them (decision vehicle-people). */
export const VehiclePerson = z.object({
  /** Names the person within this vehicle only. */
  id: z.uuid(),
  role: VehicleRole,
  name: z.nullable(z.string()),
  /** Confirmed, unlike the name, so that nobody is taken for somebody else. */
  email: z.string(),
  is_me: z.boolean(),
  joined_at: z.iso.datetime(),
})
export type VehiclePerson = z.infer<typeof VehiclePerson>

/** An invitation that can still be used. Its code was shown once and is not stored. */
export const OpenInvitation = z.object({
  id: z.uuid(),
  kind: z.enum(['code', 'link']),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

export const VehiclePeople = z.object({
  /** The owner first, then the drivers in the order in which they joined. */
  items: z.array(VehiclePerson),
  /** For the owner; empty for drivers. */
  invitations: z.array(OpenInvitation),
})
export type VehiclePeople = z.infer<typeof VehiclePeople>

export const listVehiclePeople = endpoint({
  method: 'GET',
  path: '/api/vehicles/:id/people',
  audience: 'user',
  summary: 'Everybody of a vehicle, for everybody of it.',
  input: IdParam,
  output: VehiclePeople,
})

export const removeVehiclePerson = endpoint({
  method: 'DELETE',
  path: '/api/vehicles/:id/people/:personId',
  audience: 'user',
  summary: 'Leaves a vehicle, or removes a driver from an own one. From that moment they read and hear nothing of it.',
  input: z.extend(IdParam, { personId: z.uuid().check(z.toLowerCase()) }),
})

export const inviteDriver = endpoint({
  method: 'POST',
  path: '/api/vehicles/:id/invitations',
  audience: 'verified',
  status: 201,
  summary:
    'Invites a driver to an own vehicle: with a code for 15 minutes, or with a link for one address for 7 days. Nothing is emailed.',
  input: z.extend(IdParam, { email: z.optional(EmailInput) }),
  output: z.object({ id: z.uuid(), code: z.string(), url: z.string(), expires_at: z.iso.datetime() }),
})

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/invitations/:id',
  audience: 'user',
  summary: 'Withdraws an invitation to an own vehicle.',
  input: IdParam,
})

const INVITATION_CODE_MAX = 100

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/invitations/accept',
  audience: 'verified',
  summary:
    'Joins a vehicle as a driver. One answer for a code that is wrong, used, expired, withdrawn or for somebody else.',
  input: z.object({
    code: z.string().check(z.minLength(1, 'code_missing'), z.maxLength(INVITATION_CODE_MAX)),
  }),
  output: z.object({ vehicle_id: z.uuid(), plate: z.string() }),
})
