import type { Dashboard } from '#contract/dashboard.ts'
import { receivedMessages } from '../messages/list-messages.ts'
import type { Parts } from '../parts.ts'
import { listVehicles } from '../vehicles/list-vehicles.ts'
import { dashboardCounts } from './queries.ts'

/** How many of the latest messages and vehicles are shown (spec §9). */
const RECENT = 3

/** The owner's first screen in one answer. */
export async function showDashboard(
  { db, keyring }: Pick<Parts, 'db' | 'keyring'>,
  userId: string,
): Promise<Dashboard> {
  const [counts, messages, vehicles] = await Promise.all([
    dashboardCounts(db, userId),
    receivedMessages(db, keyring, userId, RECENT),
    listVehicles(db, userId, { limit: RECENT }),
  ])
  return { ...counts, recent_messages: messages, recent_vehicles: vehicles.items }
}
