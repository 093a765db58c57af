import { useQuery } from '@tanstack/react-query'
import type { Form } from '~/lib/form/use-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import type { VehicleFormValues } from './form-draft.ts'
import { catalogueQuery } from './queries.ts'
import { catalogueText } from './vehicle-name.ts'

const toOptions = (names: readonly string[]) => names.map((name) => ({ value: name, label: catalogueText(name) }))

/** Asks for the make and, once it is chosen, for one of its models (requirements §5). */
export function MakeModelFields({ form }: { form: Form<VehicleFormValues> }) {
  const { data, error, refetch, isFetching } = useQuery(catalogueQuery)
  const { make } = form.values
  const model = form.register('model')
  const models = data?.[make] ?? []

  return (
    <>
      <div className="grid gap-2">
        <Select
          label={m.vehicles_make()}
          placeholder={data || error ? m.vehicles_make_choose() : m.loading()}
          options={toOptions(Object.keys(data ?? {}))}
          // a model belongs to one make: another make clears it
          {...form.register('make', () => form.setValue('model', ''))}
        />
        {error && !data && (
          <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-danger-soft p-3">
            <p className="text-danger">{m.vehicles_catalogue_failed()}</p>
            <Button pending={isFetching} onClick={() => void refetch()}>
              {m.action_retry()}
            </Button>
          </div>
        )}
      </div>
      <Select
        label={m.vehicles_model()}
        placeholder={make ? m.vehicles_model_choose() : m.vehicles_model_after_make()}
        options={toOptions(models)}
        disabled={!make}
        {...model}
        error={make ? model.error : undefined}
      />
    </>
  )
}
