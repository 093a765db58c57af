import { Car, Eye, ListChecks } from 'lucide-react'
import { useId } from 'react'
import { COLLISION_DUTIES, DUTIES_LOOKED_AT, dutiesFor } from '#contract/collision-duties.ts'
import { PARTICULARS_MAX } from '#contract/collisions.ts'
import { paths } from '#contract/paths.ts'
import { PLATE_TYPED_MAX } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { ImageField } from '~/attachments/ImageField'
import type { ImageUpload } from '~/attachments/use-image-upload'
import { formatDate } from '~/lib/dates/dates'
import type { Form } from '~/lib/form/use-form'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { FieldError, TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { ChoiceButton } from './ChoiceButton.tsx'
import { type CollisionValues, PARTICULARS, type Particular } from './collision-fields.ts'

type QuestionProps = Pick<Form<CollisionValues>, 'values' | 'register'> & {
  /** Called when the sender says that they saw it. */
  onSaw: () => void
}

/**
 * Asks somebody who writes about a collision whether they hit the vehicle, which has a page of its own, or saw it: a witness stays
 * anonymous.
 */
export function CollisionQuestion({ values, register, onSaw }: QuestionProps) {
  const { error } = register('collision-kind')
  const errorId = useId()
  const isWitness = values['collision-kind'] === 'saw'
  return (
    <div className="grid gap-6">
      <fieldset aria-describedby={error && errorId}>
        <legend className="pb-2 font-bold">{m.collision_question()}</legend>
        <div className="grid grid-cols-2 gap-2">
          <ButtonLink to={paths.collision()} className="min-h-14">
            <Car aria-hidden="true" className="size-5 text-pine" />
            {m.collision_hit()}
          </ButtonLink>
          <ChoiceButton
            name="collision-kind"
            icon={Eye}
            label={m.collision_saw}
            pressed={isWitness}
            className="min-h-14 justify-center"
            onClick={onSaw}
          />
        </div>
        <div className="pt-1.5 empty:hidden">
          <FieldError id={errorId} text={error} />
        </div>
      </fieldset>
      {isWitness && (
        <Checkbox
          label={m.collision_witness()}
          hint={m.collision_witness_hint()}
          {...register('collision-witness')}
          checked={values['collision-witness'] === 'on'}
        />
      )}
    </div>
  )
}

type HitProps = Pick<Form<CollisionValues>, 'values' | 'register'> & { photos: ImageUpload[] }

/** Says to somebody who hit a vehicle what the law of the province asks for, and asks who they are. */
export function HitFields({ values, register, photos }: HitProps) {
  const province = values['collision-province']
  return (
    <>
      <Select
        label={m.collision_province()}
        placeholder={m.province_choose()}
        options={PROVINCES.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
        {...register('collision-province')}
      />
      <div role="status" className="empty:hidden">
        {province !== '' && <Duties province={province} />}
      </div>
      <h2 className="-mb-2 text-xl font-extrabold">{m.collision_card()}</h2>
      {PARTICULARS.map((name) => {
        const { label, hint, ...field } = FIELDS[name]
        return (
          <TextField
            key={name}
            label={label()}
            hint={hint?.()}
            {...field}
            type={name === 'phone' ? 'tel' : 'text'}
            maxLength={name === 'plate' ? PLATE_TYPED_MAX : PARTICULARS_MAX[name]}
            {...register(`collision-${name}`)}
          />
        )
      })}
      {photos.map(
        (upload, i) =>
          // one more field than there are photos
          (i === 0 || photos[i - 1]!.image.state !== 'none') && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the positions never change
            <ImageField key={i} label={m.collision_photo({ number: i + 1 })} upload={upload} />
          ),
      )}
    </>
  )
}

const FIELDS: Record<Particular, { label: () => string; autoComplete: string; hint?: () => string }> = {
  name: { label: m.collision_name, autoComplete: 'name' },
  phone: { label: m.collision_phone, autoComplete: 'tel' },
  address: { label: m.collision_address, autoComplete: 'street-address' },
  insurer: { label: m.collision_insurer, autoComplete: 'off', hint: m.collision_at_hand },
  policy: { label: m.collision_policy, autoComplete: 'off', hint: m.collision_at_hand },
  plate: { label: m.collision_plate, autoComplete: 'off', hint: m.collision_at_hand },
}

/** Shows what the law of a province asks of a driver who hit a parked vehicle, with its source. */
function Duties({ province }: { province: Province }) {
  const id = useId()
  const { statute, sections, basis } = COLLISION_DUTIES[province]
  const locale = getLocale()
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-xl bg-pine-soft p-4 sm:p-5">
      <h2 id={id} className="flex items-start gap-3 text-lg font-extrabold">
        <ListChecks aria-hidden="true" className="size-6 shrink-0 text-pine" />
        {m.collision_duties({ province: provinceName(province, locale) })}
      </h2>
      <ol className="grid list-decimal gap-2 pl-6">
        {dutiesFor(province, locale).map((duty) => (
          <li key={duty}>{duty}</li>
        ))}
      </ol>
      <p>{m.collision_on_the_spot()}</p>
      <p className="text-sm text-ink-soft">
        {basis === 'open' && `${m.collision_duties_open()} `}
        {statute({}, { locale })}
        {basis !== 'open' &&
          `, ${m.collision_sections({ sections: sections.replace(/(\d+) to (\d+)/, (_, first: string, last: string) => m.collision_section_range({ first, last })) })}`}
        {'. '}
        {m.collision_duties_source({ date: formatDate(`${DUTIES_LOOKED_AT}T12:00:00Z`) })}
      </p>
    </section>
  )
}
