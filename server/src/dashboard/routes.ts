import type { FastifyInstance } from 'fastify'
import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import type { AppContext } from '../context.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { decryptContextFor } from '../http/decrypt-context.ts'
import { userRoute } from '../http/route.ts'
import { latestReceivedMessages, toReceivedMessage } from '../messages/list-messages.ts'
import { findReceived } from '../messages/queries.ts'
import { listDisputedVehicles, listVehicles } from '../vehicles/list-vehicles.ts'
import { getDashboardCounts } from './queries.ts'

/** How many of the latest messages and vehicles are shown (requirements §9). */
const RECENT_ITEMS = 3

export function dashboardRoutes(app: FastifyInstance, context: AppContext) {
  userRoute(app, getDashboard, (_, { id }, { request }) =>
    loadDashboard(context, decryptContextFor(context, request), id),
  )
}

/** Loads everything the owner's first screen shows. */
async function loadDashboard(
  { db }: Pick<AppContext, 'db'>,
  decryptContext: DecryptContext,
  userId: string,
): Promise<Dashboard> {
  const [{ waiting, ...counts }, messages, vehicles, disputed] = await db.pipeline((tx) =>
    Promise.all([
      getDashboardCounts(tx, userId),
      latestReceivedMessages(tx, decryptContext, userId, RECENT_ITEMS),
      listVehicles(tx, decryptContext.keyring, userId, { limit: RECENT_ITEMS }),
      listDisputedVehicles(tx, decryptContext.keyring, userId),
    ]),
  )
  // it is among the latest, unless those have been answered
  let newest = messages.find(({ id }) => id === waiting.newestId) ?? null
  if (newest === null && waiting.newestId !== null) {
    const row = await findReceived(db, waiting.newestId, userId)
    newest = row && toReceivedMessage(decryptContext, row)
  }
  return {
    ...counts,
    waiting: { total: waiting.total, newest },
    recent_messages: messages,
    recent_vehicles: vehicles.items,
    disputed_vehicles: disputed,
  }
}
