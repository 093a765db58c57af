import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ReceivedMessage, SentMessage } from './messages.ts'
import { HOUR_MS } from './time.ts'
import { Vehicle } from './vehicles.ts'

/** For how long a message without an answer is shown first: its sender may still be standing at the vehicle. */
export const WAITING_MS = HOUR_MS

/** The figures and the latest items on the dashboard (requirements §2, §9). */
export const Dashboard = z.object({
  /** Vehicles with status active or verified; `this_month` counts approved ones too (requirements §4). */
  vehicles: z.object({ total: z.number(), this_month: z.number() }),
  messages: z.object({ total: z.number(), this_month: z.number(), unread: z.number() }),
  /** The newest received message without an answer that is younger than `WAITING_MS`. */
  waiting: z.nullable(ReceivedMessage),
  /** For somebody who only sends: the message, no note, that was sent or replied to last. Without a reply it is of the last day. */
  sent: z.nullable(SentMessage),
  /** Whether emails to the address of the account come back, so that most are not sent (decision returned-emails). */
  email_unreachable: z.boolean(),
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
  summary: 'The numbers and latest items of the dashboard.',
  output: Dashboard,
})
