import { zodResolver } from '@hookform/resolvers/zod'
import { CircleAlert } from 'lucide-react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { modelYears, NewVehicle } from '#contract/vehicles.ts'
import { ApiError } from '~/lib/api'
import { getLocale, Link } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PageHeader } from '~/ui/PageHeader'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import type { Answers } from './answers.ts'
import { keptAnswers } from './kept-answers.ts'
import { MakeAndModel } from './MakeAndModel.tsx'
import { useRegisterVehicle } from './use-register-vehicle.ts'

const FIELDS = ['plate', 'make', 'model', 'registration_year', 'province'] as const satisfies (keyof Answers)[]

const YEARS = modelYears(new Date()).map(String)

/** Provinces by their names in the page's language, in its alphabet. */
function provinceOptions() {
  const locale = getLocale()
  return PROVINCES.map((province) => ({ value: province, label: provinceName(province, locale) })).sort((a, b) =>
    a.label.localeCompare(b.label, locale),
  )
}

/** /dashboard/vehicle/new: registers a plate (spec §5). */
export function NewVehiclePage() {
  const form = useForm<Answers, unknown, NewVehicle>({
    resolver: zodResolver(NewVehicle),
    mode: 'onTouched',
    defaultValues: keptAnswers(),
  })
  const { register, handleSubmit, setError, control, formState } = form
  const { errors } = formState
  const [plate, province] = useWatch({ control, name: ['plate', 'province'] })
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
          <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-6">
            <PlateField
              label={m.vehicles_plate()}
              hint={m.vehicles_plate_hint()}
              province={province || undefined}
              error={errors.plate && m.vehicles_plate_shape()}
              {...register('plate')}
            />
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

/** Why the plate was not registered; what was typed stays in the form. */
function Refusal({ error }: { error: Error | null }) {
  const unconfirmed = error instanceof ApiError && error.code === 'email_not_confirmed'
  return (
    <div role="alert">
      {error && (
        <div className="mb-5 flex items-start gap-2 rounded-xl bg-danger-soft p-4 text-danger">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <div className="grid gap-1">
            <p className="font-semibold">
              {error instanceof ApiError ? error.message : m.vehicles_registration_failed()}
            </p>
            {unconfirmed && (
              <p className="text-ink">
                {m.vehicles_unconfirmed_text()}{' '}
                <Link to={paths.verifyEmail()} className="link">
                  {m.vehicles_unconfirmed_link()}
                </Link>
              </p>
            )}
          </div>
        </div>
      )}
    </div>
  )
}
