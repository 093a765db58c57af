import type { Dashboard } from '#contract/dashboard.ts'
import { receivedMessages } from '../messages/list-messages.ts'
import type { Parts } from '../parts.ts'
import type { Reader } from '../sealing/show-text.ts'
import { listDisputed, listVehicles } from '../vehicles/list-vehicles.ts'
import { dashboardCounts } from './queries.ts'

/** How many of the latest messages and vehicles are shown (spec §9). */
const RECENT = 3

/** The owner's first screen in one answer. */
export async function showDashboard({ db }: Pick<Parts, 'db'>, reader: Reader, userId: string): Promise<Dashboard> {
  const [counts, messages, vehicles, disputed] = await Promise.all([
    dashboardCounts(db, userId),
    receivedMessages(db, reader, userId, RECENT),
    listVehicles(db, userId, { limit: RECENT }),
    listDisputed(db, userId),
  ])
  return { ...counts, recent_messages: messages, recent_vehicles: vehicles.items, disputed_vehicles: disputed }
}
