import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import { registerPlate } from '#contract/vehicles.ts'
import { call } from '~/lib/api'
import { href } from '~/lib/i18n'
import { toast } from '~/lib/toast'
import { m } from '~/paraglide/messages'
import { type Answers, parseAnswers } from './answers.ts'
import { keepAnswers, rememberProvince } from './kept-answers.ts'
import { ownVehicles } from './queries.ts'

async function register(answers: Answers) {
  const { data, error } = parseAnswers(answers)
  if (!data) throw error
  return call(registerPlate, data, { givesUp: true })
}

/** Registers a plate; then a toast says what came of it (spec §8) and the list shows the new vehicle. */
export function useRegisterVehicle() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    networkMode: 'always', // without a connection it fails at once and says so, instead of happening hours later
    mutationFn: register,
    onMutate: keepAnswers,
    onSuccess: ({ status, vehicle }) => {
      keepAnswers(undefined)
      rememberProvince(vehicle.province)
      queries.setQueryData(ownVehicles.queryKey, (vehicles) => vehicles && [vehicle, ...vehicles])
      void queries.invalidateQueries()
      if (status === 'dispute_started') toast.warning(m.vehicles_conflict())
      else toast.success(m.vehicles_registered())
      void navigate(href(paths.vehicles(vehicle.id)))
    },
  })
}
