import * as z from 'zod/mini'
import { EmptyObject, endpoint } from './endpoint.ts'
import { ReceivedMessage } from './messages.ts'
import { Vehicle } from './vehicles.ts'

/** The numbers and the latest things of the owner's first screen (requirements §2, §9). */
export const Dashboard = z.object({
  /** Vehicles with status active or verified; this month's count approved ones too (requirements §4). */
  vehicles: z.object({ total: z.number(), this_month: z.number() }),
  messages: z.object({ total: z.number(), this_month: z.number(), unread: z.number() }),
  recent_messages: z.array(ReceivedMessage),
  recent_vehicles: z.array(Vehicle),
  /** Those in an open dispute, however long ago they were registered: their owner is asked to do something. */
  disputed_vehicles: z.array(Vehicle),
})
export type Dashboard = z.infer<typeof Dashboard>

export const getDashboard = endpoint({
  method: 'GET',
  path: '/api/dashboard',
  audience: 'user',
  status: 200,
  summary: 'The numbers and latest items of the dashboard.',
  input: EmptyObject,
  output: Dashboard,
})
