import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/vehicles.ts'
import { readyRoute, userRoute } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { refuse } from '../refusal.ts'
import { deleteVehicle } from './delete-vehicle.ts'
import { listVehicles } from './list-vehicles.ts'
import { registerVehicle } from './register-vehicle.ts'
import { sendCatalogue } from './send-catalogue.ts'

export function vehicleRoutes(app: FastifyInstance, parts: Parts) {
  readyRoute(app, contract.makeModels, sendCatalogue)
  userRoute(app, contract.registerPlate, (wish, { id }) =>
    // older clients name themselves, which changes nothing; nobody registers for somebody else (design decision 10)
    wish.user_id === undefined || wish.user_id === id ? registerVehicle(parts, id, wish) : refuse('forbidden'),
  )
  userRoute(app, contract.listVehicles, (paging, { id }) => listVehicles(parts.db, id, paging))
  userRoute(app, contract.deleteVehicle, (vehicle, { id }) => deleteVehicle(parts, id, vehicle.id))
}
