import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { modelYears, NewVehicle } from '#contract/vehicles.ts'
import { ApiError } from '~/lib/api'
import { Link } from '~/lib/i18n'
import { mailTo } from '~/lib/site'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { Select } from '~/ui/Select'
import type { Answers } from './answers.ts'
import { keepAnswers, keptAnswers } from './kept-answers.ts'
import { MakeAndModel } from './MakeAndModel.tsx'
import { PlateAnswer } from './PlateAnswer.tsx'
import { provinceOptions } from './province-options.ts'
import { useRegisterVehicle } from './use-register-vehicle.ts'

const FIELDS = ['plate', 'make', 'model', 'registration_year', 'province'] as const satisfies (keyof Answers)[]

const YEARS = modelYears(new Date()).map(String)

/** /dashboard/vehicle/new: registers a plate (spec §5). */
export function NewVehiclePage() {
  const form = useForm<Answers, unknown, NewVehicle>({
    resolver: zodResolver(NewVehicle),
    mode: 'onTouched',
    defaultValues: keptAnswers(),
  })
  const { register, handleSubmit, setError, getValues, control, formState } = form
  const { errors } = formState
  const plate = useWatch({ control, name: 'plate' })
  const { mutate, isPending, error } = useRegisterVehicle()

  const submit = handleSubmit((vehicle) =>
    mutate(vehicle, {
      onError: (refusal) => {
        const wrong = FIELDS.filter((field) => refusal instanceof ApiError && refusal.fields[field])
        for (const field of wrong) setError(field, { type: 'server' }, { shouldFocus: field === wrong[0] })
      },
    }),
  )

  return (
    <div className="max-w-xl">
      <PageHeader title={m.page_new_vehicle()}>{m.vehicles_new_intro()}</PageHeader>
      <Card>
        <FormProvider {...form}>
          <form
            noValidate
            className="grid gap-6"
            onChange={() => keepAnswers(getValues())}
            onSubmit={(event) => void submit(event)}
          >
            <PlateAnswer />
            <MakeAndModel />
            <Select
              label={m.vehicles_year()}
              placeholder={m.vehicles_year_choose()}
              options={YEARS}
              error={errors.registration_year && m.vehicles_year_missing()}
              {...register('registration_year', { valueAsNumber: true })}
            />
            <Select
              label={m.vehicles_province()}
              placeholder={m.vehicles_province_choose()}
              options={provinceOptions()}
              error={errors.province && m.vehicles_province_missing()}
              {...register('province')}
            />
            <div>
              <Refusal error={error} />
              <Button
                type="submit"
                variant="primary"
                size="lg"
                className="w-full"
                disabled={displayPlate(plate) === ''}
                pending={isPending}
                pendingText={m.vehicles_registering()}
              >
                {m.vehicles_register()}
              </Button>
            </div>
          </form>
        </FormProvider>
      </Card>
    </div>
  )
}

/** What came back as a reason; an answer without one, or none that can be read, is 'Registration failed' (spec §8). */
const reasonOf = (error: Error): string =>
  error instanceof ApiError && (error.status === 0 || error.data) ? error.message : m.vehicles_registration_failed()

/** Where to go from a refusal that can be mended elsewhere. */
function WayOn({ error }: { error: Error }) {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'already_yours' || error.code === 'open_challenge') {
    return (
      <Link to={paths.vehicles()} className="link justify-self-start">
        {m.vehicles_see_mine()}
      </Link>
    )
  }
  if (error.code === 'too_many_challenges') {
    return (
      <a href={mailTo(m.page_new_vehicle())} className="link justify-self-start">
        {m.vehicles_write_to_support()}
      </a>
    )
  }
  if (error.code !== 'email_not_confirmed') return null
  return (
    <p className="text-ink">
      {m.vehicles_unconfirmed_text()}{' '}
      <Link to={paths.verifyEmail()} className="link">
        {m.vehicles_unconfirmed_link()}
      </Link>
    </p>
  )
}

/** Why the plate was not registered; what was typed stays in the form. */
function Refusal({ error }: { error: Error | null }) {
  return (
    <div role="alert">
      {error && (
        <div className="mb-5 flex items-start gap-2 rounded-xl bg-danger-soft p-4 text-danger">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <div className="grid gap-1">
            <p className="font-semibold">{reasonOf(error)}</p>
            <WayOn error={error} />
          </div>
        </div>
      )}
    </div>
  )
}
