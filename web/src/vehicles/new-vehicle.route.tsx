import { useState } from 'react'
import { useNavigate } from 'react-router'
import { modelYears, VehicleForm } from '#contract/new-vehicle.ts'
import { paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import { registerPlate } from '#contract/vehicles.ts'
import { type FieldErrors, useForm, zodErrors } from '~/lib/form/use-form'
import { ApiError, call } from '~/lib/http/api'
import { href, Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import { supportMailto } from '~/lib/page/site'
import { plateError } from '~/lib/plates/plate-error'
import { queryClient } from '~/lib/query/query-client'
import { markPlateRegistered } from '~/lib/registration/carried-plate'
import { now } from '~/lib/time/now'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { PageHeader } from '~/ui/PageHeader'
import { provinceOptions, Select } from '~/ui/Select'
import { readVehicleDraft, saveLastProvince, saveVehicleDraft, type VehicleFormValues } from './form-draft.ts'
import { ownVehiclesQuery } from './queries.ts'
import { MakeModelFields, VehiclePlateField } from './VehicleFields.tsx'

export const meta = () => privatePageMeta(m.page_new_vehicle())

/** Parses the values of the form into a vehicle, or what is wrong with them. */
const parseVehicleForm = ({ registration_year: year, ...values }: VehicleFormValues) =>
  VehicleForm.safeParse({ ...values, registration_year: year === '' ? undefined : Number(year) })

/** Returns one text for each field, whatever is wrong with it. */
function validate(values: VehicleFormValues): FieldErrors<VehicleFormValues> {
  const wrong = zodErrors(parseVehicleForm(values))
  return {
    plate: wrong['plate'] && plateError(values.plate),
    make: wrong['make'] && m.vehicles_make_missing(),
    model: wrong['model'] && m.vehicles_model_missing(),
    registration_year: wrong['registration_year'] && m.vehicles_year_missing(),
    province: wrong['province'] && m.field_province_missing(),
  }
}

/** Renders /dashboard/vehicle/new, where a plate is registered (requirements §5). */
export default function NewVehiclePage() {
  const navigate = useNavigate()
  const [defaultValues] = useState(readVehicleDraft)
  const [years] = useState(() => modelYears(new Date(now())).map(String))
  const form = useForm({
    defaultValues,
    validateOnBlur: true,
    validate,
    async onSubmit(values) {
      saveVehicleDraft(values)
      const { data, error } = parseVehicleForm(values)
      if (!data) throw error
      const { status, vehicle } = await call(registerPlate, data, { withTimeout: true })
      saveVehicleDraft(undefined)
      markPlateRegistered()
      saveLastProvince(vehicle.province)
      queryClient.setQueryData(ownVehiclesQuery.queryKey, (vehicles) => vehicles && [vehicle, ...vehicles])
      void queryClient.invalidateQueries()
      const isDisputed = status === 'dispute_started'
      // a page that has the new vehicle as its heading says how that ended (requirements §8), or a toast in the list while it is in dispute
      if (isDisputed) toast.onNextPage('warning', m.vehicles_conflict())
      await navigate(href(isDisputed ? paths.vehicles(vehicle.id) : paths.vehicleWelcome(vehicle.id)))
    },
  })

  const isPlateMissing = displayPlate(form.values.plate) === ''
  return (
    <div className="max-w-xl">
      <PageHeader title={m.page_new_vehicle()}>{m.vehicles_new_intro()}</PageHeader>
      <Card>
        <form noValidate className="grid gap-6" {...form.formProps} onChange={() => saveVehicleDraft(form.getValues())}>
          <VehiclePlateField form={form} />
          <MakeModelFields form={form} />
          <Select
            label={m.vehicles_year()}
            placeholder={m.vehicles_year_choose()}
            options={years}
            {...form.register('registration_year')}
          />
          <Select
            label={m.vehicles_province()}
            placeholder={m.province_choose()}
            options={provinceOptions()}
            {...form.register('province')}
          />
          <AnnouncedFailure failure={form.failure} title={failureText(form.failure)}>
            <NextStep error={form.failure} />
          </AnnouncedFailure>
          <div>
            <Button
              type="submit"
              variant="primary"
              size="lg"
              className="w-full"
              disabled={isPlateMissing}
              aria-describedby={isPlateMissing ? 'plate-first' : undefined}
              pending={form.pending}
              pendingText={m.vehicles_registering()}
            >
              {m.vehicles_register()}
            </Button>
            {isPlateMissing && (
              <p id="plate-first" className="pt-2 text-center text-sm text-ink-soft">
                {m.vehicles_plate_first()}
              </p>
            )}
          </div>
        </form>
      </Card>
    </div>
  )
}

/** Returns the reason in the response; without a readable one it is 'Registration failed' (requirements §8). */
const failureText = (error: unknown): string =>
  error instanceof ApiError && (error.status === 0 || error.data) ? error.message : m.vehicles_registration_failed()

/** Links to where the cause of an error can be resolved. */
function NextStep({ error }: { error: unknown }) {
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
      <a href={supportMailto(m.page_new_vehicle())} className="link justify-self-start">
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
