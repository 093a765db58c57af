import * as z from 'zod/mini'
import { EmptyObject, endpoint } from './endpoint.ts'
import { ReceivedMessage } from './messages.ts'
import { Vehicle } from './vehicles.ts'

/** The figures and the latest items on the dashboard (requirements §2, §9). */
export const Dashboard = z.object({
  /** Vehicles with status active or verified; `this_month` counts approved ones too (requirements §4). */
  vehicles: z.object({ total: z.number(), this_month: z.number() }),
  messages: z.object({ total: z.number(), this_month: z.number(), unread: z.number() }),
  recent_messages: z.array(ReceivedMessage),
  recent_vehicles: z.array(Vehicle),
  /** All vehicles in an open dispute, however old: their owner has to act. */
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
