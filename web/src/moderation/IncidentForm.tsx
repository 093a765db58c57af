import { useQueryClient } from '@tanstack/react-query'
import { type Incident, recordIncident } from '#contract/incidents.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Checkbox } from '~/ui/Checkbox'
import { TextField } from '~/ui/Field'
import { TextArea } from '~/ui/TextArea'
import { INCIDENT_TEXTS, incidentFields } from './incident-fields.ts'
import { incidentsQuery } from './queries.ts'

type Props = {
  /** The entry to add to or to correct; null: a new incident. */
  about: Incident | null
  onDone: () => void
}

/** Writes an entry of the register. One about an earlier entry begins with what that one says. */
export function IncidentForm({ about, onDone }: Props) {
  const queries = useQueryClient()
  const { values, register, pending, formProps } = useForm({
    defaultValues: {
      noticed_on: about?.noticed_on ?? '',
      people: about?.people?.toString() ?? '',
      serious_risk: about?.serious_risk ? 'on' : '',
      ...(Object.fromEntries(INCIDENT_TEXTS.map((name) => [name, about?.[name] ?? ''])) as Record<
        (typeof INCIDENT_TEXTS)[number],
        string
      >),
    },
    validate: (fields) => ({
      noticed_on: fields.noticed_on !== '' || m.incident_day_missing(),
      people: /^\d{0,9}$/.test(fields.people.trim()) || m.incident_people_wrong(),
      ...Object.fromEntries(
        incidentFields().map(({ name, max }) => [
          name,
          hasVisibleCharacter(fields[name])
            ? [...fields[name].trim()].length <= max || m.desk_too_long({ max })
            : m.incident_text_missing(),
        ]),
      ),
    }),
    async onSubmit({ people, serious_risk, ...texts }) {
      try {
        await call(
          recordIncident,
          {
            ...texts,
            amends: about?.id ?? null,
            people: people.trim() === '' ? null : Number(people.trim()),
            serious_risk: serious_risk === 'on',
          },
          { withTimeout: true },
        )
        toast.success(m.incident_recorded())
        void queries.invalidateQueries({ queryKey: incidentsQuery.queryKey })
        onDone()
        return undefined
      } catch (error) {
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) return error.fields
        toast.error(error)
        return undefined
      }
    },
  })
  const risk = register('serious_risk')
  return (
    <Card className="mb-6">
      <form noValidate className="grid gap-5" {...formProps}>
        <h2 className="text-xl font-bold">{about ? m.incident_add() : m.incident_new()}</h2>
        <p className="max-w-prose text-ink-soft">{m.incident_form_text()}</p>
        <div className="max-w-60">
          <TextField label={m.incident_noticed_on()} type="date" {...register('noticed_on')} />
        </div>
        {incidentFields().map(({ name, label, max }) =>
          name === 'occurred' ? (
            <TextField
              key={name}
              label={label}
              hint={m.incident_occurred_hint()}
              autoComplete="off"
              {...register(name)}
            />
          ) : name === 'risk_reason' ? (
            <div key={name} className="grid gap-3">
              <Checkbox
                label={m.incident_serious()}
                name={risk.name}
                checked={values.serious_risk === 'on'}
                error={risk.error}
                onChange={risk.onChange}
              />
              <p className="max-w-prose text-sm text-ink-soft">{m.incident_serious_hint()}</p>
              <TextArea label={label} rows={3} maxCharacters={max} {...register(name)} />
            </div>
          ) : (
            <TextArea key={name} label={label} rows={3} maxCharacters={max} {...register(name)} />
          ),
        )}
        <div className="max-w-60">
          <TextField
            label={m.incident_people()}
            hint={m.incident_people_hint()}
            optional
            inputMode="numeric"
            autoComplete="off"
            {...register('people')}
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="primary" pending={pending} pendingText={m.loading()}>
            {m.incident_record()}
          </Button>
          <Button onClick={onDone}>{m.action_cancel()}</Button>
        </div>
      </form>
    </Card>
  )
}
