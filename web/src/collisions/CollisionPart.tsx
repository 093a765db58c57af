import { Car, Eye, ListChecks, UserRound } from 'lucide-react'
import { type Ref, useId } from 'react'
import { COLLISION_DUTIES, DUTIES_LOOKED_AT, dutiesFor } from '#contract/collision-duties.ts'
import { COLLISION_KINDS, type CollisionKind, PARTICULARS_MAX } from '#contract/collisions.ts'
import { PLATE_TYPED_MAX } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { ImageField } from '~/attachments/ImageField'
import type { ImageUpload } from '~/attachments/use-image-upload'
import { formatDate } from '~/lib/dates/dates'
import type { Form } from '~/lib/form/use-form'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { FieldError, TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { ChoiceButton } from './ChoiceButton.tsx'
import { type CollisionValues, PARTICULARS, type Particular } from './collision-fields.ts'

const CHOICES = {
  hit: { icon: Car, label: m.collision_hit },
  saw: { icon: Eye, label: m.collision_saw },
}

type Props = {
  form: Pick<Form<CollisionValues>, 'values' | 'register'>
  /** Called when the sender says what they did. */
  onKind: (kind: CollisionKind) => void
  /** Whether the sender has gone past the duties. */
  isDutyRead: boolean
  onDutyRead: (isRead: boolean) => void
  duties: Ref<HTMLElement>
  photos: ImageUpload[]
}

/**
 * Asks somebody who writes about a collision whether they hit the vehicle or saw it, and leads who hit it past what the law of the
 * province asks for to the card of particulars.
 */
export function CollisionPart({ form, onKind, isDutyRead, onDutyRead, duties, photos }: Props) {
  const { values, register } = form
  const { 'collision-kind': kind, 'collision-province': province } = values
  const { error } = register('collision-kind')
  const errorId = useId()
  return (
    <div className="grid gap-6">
      <fieldset aria-describedby={error && errorId}>
        <legend className="pb-2 font-bold">{m.collision_question()}</legend>
        <div className="grid grid-cols-2 gap-2">
          {COLLISION_KINDS.map((choice) => (
            <ChoiceButton
              key={choice}
              name="collision-kind"
              {...CHOICES[choice]}
              pressed={choice === kind}
              className="min-h-14"
              onClick={() => onKind(choice)}
            />
          ))}
        </div>
        <div className="pt-1.5 empty:hidden">
          <FieldError id={errorId} text={error} />
        </div>
      </fieldset>
      {kind === 'saw' && (
        <Checkbox
          label={m.collision_witness()}
          hint={m.collision_witness_hint()}
          {...register('collision-witness')}
          checked={values['collision-witness'] === 'on'}
        />
      )}
      {kind === 'hit' && (
        <Select
          label={m.collision_province()}
          placeholder={m.collision_province_choose()}
          options={PROVINCES.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
          // other duties: they come first
          {...register('collision-province', () => onDutyRead(false))}
        />
      )}
      {kind === 'hit' && province !== '' && (
        <>
          <Duties ref={duties} province={province} onContinue={isDutyRead ? null : () => onDutyRead(true)} />
          {isDutyRead && <ParticularsFields form={form} photos={photos} />}
        </>
      )}
    </div>
  )
}

type DutiesProps = { ref: Ref<HTMLElement>; province: Province; onContinue: (() => void) | null }

/** Shows what the law of a province asks of a driver who hit a parked vehicle, with its source. */
function Duties({ ref, province, onContinue }: DutiesProps) {
  const id = useId()
  const { statute, sections, basis } = COLLISION_DUTIES[province]
  const locale = getLocale()
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid scroll-mt-20 gap-4 rounded-xl border-2 border-pine bg-pine-soft p-4 sm:p-5"
    >
      <div className="flex items-start gap-3">
        <ListChecks aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-pine" />
        <h2 id={id} className="text-lg font-extrabold">
          {m.collision_duties({ province: provinceName(province, locale) })}
        </h2>
      </div>
      <ol className="grid list-decimal gap-2 pl-6">
        {dutiesFor(province, locale).map((duty) => (
          <li key={duty}>{duty}</li>
        ))}
      </ol>
      <p className="text-sm text-ink-soft">
        {basis === 'open' && `${m.collision_duties_open()} `}
        {statute({}, { locale })}
        {basis !== 'open' &&
          `, ${m.collision_sections({ sections: sections.replace(/(\d+) to (\d+)/, (_, first: string, last: string) => m.collision_section_range({ first, last })) })}`}
        {'. '}
        {m.collision_duties_source({ date: formatDate(`${DUTIES_LOOKED_AT}T12:00:00Z`) })}
      </p>
      {onContinue && (
        <Button size="lg" onClick={onContinue}>
          {m.collision_duties_continue()}
        </Button>
      )}
    </section>
  )
}

const FIELDS: Record<Particular, { label: () => string; autoComplete: string; optional?: true }> = {
  name: { label: m.collision_name, autoComplete: 'name' },
  phone: { label: m.collision_phone, autoComplete: 'tel' },
  address: { label: m.collision_address, autoComplete: 'street-address', optional: true },
  insurer: { label: m.collision_insurer, autoComplete: 'off', optional: true },
  policy: { label: m.collision_policy, autoComplete: 'off', optional: true },
  plate: { label: m.collision_plate, autoComplete: 'off', optional: true },
}

const focus = (section: HTMLElement | null) => section?.focus()

/** Asks somebody who hit a vehicle who they are, and says that this is not anonymous before they send it. */
function ParticularsFields({ form: { values, register }, photos }: Pick<Props, 'form' | 'photos'>) {
  const title = useId()
  return (
    <section
      ref={focus}
      tabIndex={-1}
      aria-labelledby={title}
      className="grid scroll-mt-20 gap-5 rounded-xl border border-line-strong p-4 outline-none sm:p-5"
    >
      <div className="grid gap-1.5">
        <h2 id={title} className="flex items-center gap-2.5 text-lg font-extrabold">
          <UserRound aria-hidden="true" className="size-5 shrink-0 text-pine" />
          {m.collision_card()}
        </h2>
        <p className="font-bold">{m.collision_not_anonymous()}</p>
        <p className="text-sm text-ink-soft">{m.collision_not_a_report()}</p>
      </div>
      {PARTICULARS.map((name) => {
        const { label, ...field } = FIELDS[name]
        return (
          <TextField
            key={name}
            label={label()}
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
      <Checkbox
        label={m.collision_confirm()}
        {...register('collision-confirm')}
        checked={values['collision-confirm'] === 'on'}
      />
    </section>
  )
}
