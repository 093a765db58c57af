import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { registerPlate } from '#contract/vehicles.ts'
import { call } from '~/lib/http/api'
import { href } from '~/lib/i18n/i18n'
import { markPlateRegistered } from '~/lib/registration/carried-plate'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { saveLastProvince, saveVehicleDraft } from './form-draft.ts'
import { parseVehicleForm, type VehicleFormValues } from './form-values.ts'
import { ownVehiclesQuery } from './queries.ts'

async function registerVehicle(values: VehicleFormValues) {
  const { data, error } = parseVehicleForm(values)
  if (!data) throw error
  return call(registerPlate, data, { withTimeout: true })
}

/** Registers a plate. A toast then says how that ended (requirements §8), and the list shows the new vehicle. */
export function useRegisterVehicle() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    networkMode: 'always', // without a connection it fails at once and says so, instead of running hours later
    mutationFn: registerVehicle,
    onMutate: saveVehicleDraft,
    onSuccess: ({ status, vehicle }) => {
      saveVehicleDraft(undefined)
      markPlateRegistered()
      saveLastProvince(vehicle.province)
      queries.setQueryData(ownVehiclesQuery.queryKey, (vehicles) => vehicles && [vehicle, ...vehicles])
      void queries.invalidateQueries()
      if (status === 'dispute_started') toast.warning(m.vehicles_conflict())
      else toast.success(m.vehicles_registered())
      void navigate(href(paths.vehicles(vehicle.id)))
    },
  })
}
