import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/vehicles.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import { refuse } from '../refusal.ts'
import { sendCatalogue } from './catalogue.ts'
import { deleteVehicle } from './delete-vehicle.ts'
import { listVehicles, toVehicle } from './list-vehicles.ts'
import { setVehiclePaused } from './queries.ts'
import { registerVehicle } from './register-vehicle.ts'

export function vehicleRoutes(app: FastifyInstance, context: AppContext) {
  app.get(contract.getMakeModels.path, { config: { endpoint: contract.getMakeModels } }, sendCatalogue)
  userRoute(app, contract.registerPlate, (input, { id, personHash }) =>
    // older clients send their own id, which is allowed; nobody registers for somebody else (decision server-authorization)
    input.user_id === undefined || input.user_id === id
      ? registerVehicle(context, { id, personHash }, input)
      : refuse('forbidden'),
  )
  userRoute(app, contract.listVehicles, (paging, { id }) => listVehicles(context.db, context.keyring, id, paging))
  userRoute(app, contract.updateVehicle, async ({ id, paused }, owner) =>
    toVehicle(context.keyring)((await setVehiclePaused(context.db, id, owner.id, paused)) ?? refuse('not_found')),
  )
  userRoute(app, contract.deleteVehicle, (vehicle, { id }) => deleteVehicle(context, id, vehicle.id))
}
