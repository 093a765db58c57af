import { useQuery, useQueryClient } from '@tanstack/react-query'
import { HOLD_MONTHS_MAX, HOLD_REASON_MAX, HOLD_REFERENCE_MAX, holdAccount, holdPlate } from '#contract/holds.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { withFreshFactor } from '~/admin/frame/step-up'
import { userQuery } from '~/admin/queries'
import { validateEmail } from '~/lib/address/validate-email'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { plateError } from '~/lib/plates/plate-error'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmailField, TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { TextArea } from '~/ui/TextArea'
import { reasonError } from './HoldDialog.tsx'
import { lastDayError, possibleDays } from './hold-days.ts'

type Props = {
  /** The account to fill in; null: none. */
  accountId: string | null
  plate: string
  province: string
  onDone: () => void
}

/** Places a hold on an account or a plate. */
export function HoldForm({ accountId, ...props }: Props) {
  const { data: user, isPending } = useQuery({ ...userQuery(accountId ?? ''), enabled: accountId !== null })
  // the form is filled in with the address, once it is known
  if (accountId !== null && isPending) return <Skeleton className="mb-6 h-96 rounded-2xl!" />
  return <Fields email={user?.email ?? ''} {...props} />
}

function Fields({ email, plate, province, onDone }: Omit<Props, 'accountId'> & { email: string }) {
  const queries = useQueryClient()
  const { values, register, pending, formProps } = useForm({
    defaultValues: {
      what: plate === '' ? 'account' : 'plate',
      email,
      plate: displayPlate(plate),
      province: PROVINCES.find((one) => one === province) ?? '',
      reference: '',
      reason: '',
      ends_on: '',
    },
    validate: (fields) => ({
      email: fields.what !== 'account' || validateEmail(fields.email),
      plate: fields.what !== 'plate' || isPlate(displayPlate(fields.plate)) || plateError(fields.plate),
      province: fields.what !== 'plate' || fields.province !== '' || m.hold_province_missing(),
      reference: !hasVisibleCharacter(fields.reference)
        ? m.hold_reference_missing()
        : [...fields.reference.trim()].length <= HOLD_REFERENCE_MAX || m.hold_too_long({ max: HOLD_REFERENCE_MAX }),
      reason: reasonError(fields.reason),
      ends_on: lastDayError(fields.ends_on) ?? true,
    }),
    async onSubmit({ what, reference, reason, ends_on, ...held }) {
      const terms = { reference: reference.trim(), reason: reason.trim(), ends_on }
      try {
        await withFreshFactor(() =>
          what === 'account'
            ? call(holdAccount, { email: held.email, ...terms }, { withTimeout: true })
            : call(
                holdPlate,
                { plate: held.plate, province: PROVINCES.find((one) => one === held.province)!, ...terms },
                { withTimeout: true },
              ),
        )
      } catch (error) {
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) return error.fields
        toast.error(error)
        return undefined
      }
      toast.success(m.hold_placed())
      void queries.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
      onDone()
      return undefined
    },
  })
  const { first, last } = possibleDays()
  return (
    <Card className="mb-8">
      <form noValidate className="grid gap-5" {...formProps}>
        <h2 className="text-xl font-bold">{m.hold_new()}</h2>
        <p className="max-w-prose text-ink-soft">{m.hold_form_text()}</p>
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label={m.hold_what()}
            options={[
              { value: 'account', label: m.hold_what_account() },
              { value: 'plate', label: m.hold_what_plate() },
            ]}
            {...register('what')}
          />
          {values.what === 'account' && <EmailField label={m.hold_email()} autoComplete="off" {...register('email')} />}
        </div>
        {values.what === 'plate' && (
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label={m.hold_plate()}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              {...register('plate')}
            />
            <Select
              label={m.vehicles_province()}
              placeholder={m.hold_province_choose()}
              options={PROVINCES.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
              {...register('province')}
            />
          </div>
        )}
        <TextField
          label={m.hold_reference()}
          hint={m.hold_reference_hint()}
          autoComplete="off"
          {...register('reference')}
        />
        <TextArea label={m.hold_reason()} rows={3} maxCharacters={HOLD_REASON_MAX} {...register('reason')} />
        <div className="max-w-80">
          <TextField
            label={m.hold_last_day()}
            hint={m.hold_last_day_hint({ months: HOLD_MONTHS_MAX })}
            type="date"
            min={first}
            max={last}
            {...register('ends_on')}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" pending={pending} pendingText={m.loading()}>
            {m.hold_place()}
          </Button>
          <Button onClick={onDone}>{m.action_cancel()}</Button>
        </div>
      </form>
    </Card>
  )
}
