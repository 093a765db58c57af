import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import type { Answers } from './answers.ts'
import { catalogue } from './queries.ts'
import { catalogueText } from './vehicle-name.ts'

const options = (names: readonly string[]) => names.map((name) => ({ value: name, label: catalogueText(name) }))

/** The make, and the models of that make once it is chosen (spec §5). */
export function MakeAndModel() {
  const { data, error, refetch, isFetching } = useQuery(catalogue)
  const { register, setValue, formState } = useFormContext<Answers>()
  const { errors } = formState
  const [make, model] = useWatch<Answers, ['make', 'model']>({ name: ['make', 'model'] })
  const models = data?.[make] ?? []

  return (
    <>
      <div className="grid gap-2">
        <Select
          label={m.vehicles_make()}
          placeholder={data || error ? m.vehicles_make_choose() : m.loading()}
          options={options(Object.keys(data ?? {}))}
          error={errors.make && m.vehicles_make_missing()}
          // given by value: options that come later than a kept answer still show it
          value={make}
          // models belong to one make; those of the former one are no choice any more
          {...register('make', { onChange: () => setValue('model', '') })}
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
        options={options(models)}
        value={model}
        disabled={!make}
        error={make && errors.model ? m.vehicles_model_missing() : undefined}
        {...register('model')}
      />
    </>
  )
}
