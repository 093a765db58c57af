import { UserRound } from 'lucide-react'
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { COLLISION_PHOTOS_MAX, type Collision, PARTICULARS_MAX } from '#contract/collisions.ts'
import { displayPlate, isPlate, PLATE_TYPED_MAX } from '#contract/plates.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { ImageField } from '~/attachments/ImageField'
import { useImageUpload } from '~/attachments/use-image-upload'
import { asString } from '~/lib/form/drafts'
import { plateError } from '~/lib/plates/plate-error'
import { m } from '~/paraglide/messages'
import { Checkbox } from '~/ui/Checkbox'
import { TextField } from '~/ui/Field'
import { readCollisionDraft, saveCollisionDraft } from './collision-draft.ts'

type Card = Omit<Extract<Collision, { kind: 'hit' }>, 'kind' | 'province'>

export type ParticularsHandle = {
  /** Returns the card; null when something is missing, which is then shown and has the focus. */
  collect: () => Promise<Card | null>
}

const NAMES = ['name', 'phone', 'address', 'insurer', 'policy', 'plate'] as const
type Name = (typeof NAMES)[number]
type Values = Record<Name, string>

const LABELS: Record<Name, () => string> = {
  name: m.collision_name,
  phone: m.collision_phone,
  address: m.collision_address,
  insurer: m.collision_insurer,
  policy: m.collision_policy,
  plate: m.collision_plate,
}
/** Names of its own, so that browsers do not take this for the account's form. */
const AUTOCOMPLETE: Record<Name, string> = {
  name: 'name',
  phone: 'tel',
  address: 'street-address',
  insurer: 'off',
  policy: 'off',
  plate: 'off',
}

const isRequired = (name: Name) => name === 'name' || name === 'phone'

function errorOf(name: Name, value: string): string | undefined {
  if (name === 'name' && !hasVisibleCharacter(value)) return m.collision_name_missing()
  if (name === 'phone' && !hasVisibleCharacter(value)) return m.collision_phone_missing()
  const isGiven = name === 'plate' && hasVisibleCharacter(value)
  return isGiven && !isPlate(displayPlate(value)) ? plateError(value) : undefined
}

/** Asks somebody who hit a vehicle who they are, and says that this is not anonymous before they send it. */
export function ParticularsFields({ ref }: { ref: Ref<ParticularsHandle> }) {
  const title = useId()
  const section = useRef<HTMLElement>(null)
  const [values, setValues] = useState<Values>(() => {
    const draft = readCollisionDraft()
    return Object.fromEntries(NAMES.map((name) => [name, asString(draft[name])])) as Values
  })
  const [confirmed, setConfirmed] = useState(false)
  const [submitted, setSubmitted] = useState(0)
  const uploads = usePhotoUploads()

  const errors = Object.fromEntries(NAMES.map((name) => [name, errorOf(name, values[name])])) as Partial<Values>
  const confirmError = confirmed ? undefined : m.collision_confirm_missing()
  const shown = (error: string | undefined) => (submitted > 0 ? error : undefined)

  useEffect(() => section.current?.focus(), [])
  useEffect(() => {
    if (submitted > 0) section.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [submitted])

  useImperativeHandle(ref, () => ({
    async collect() {
      if (confirmError || NAMES.some((name) => errors[name])) {
        setSubmitted((count) => count + 1)
        return null
      }
      const photos = await Promise.all(uploads.map((upload) => upload.waitForUpload())).catch(() => null)
      if (!photos) return null // the reason is shown at the image
      const { name, phone, ...rest } = values
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => hasVisibleCharacter(value)))
      return {
        particulars: { name, phone, ...given },
        photos: photos.flatMap((photo) => (photo ? [photo.id] : [])),
        not_anonymous: true,
      }
    },
  }))

  const change = (name: Name, value: string) => {
    setValues({ ...values, [name]: value })
    saveCollisionDraft({ [name]: value })
  }
  // one more field than there are photos
  const visibleUploads = uploads.filter((_, i) => i === 0 || uploads[i - 1]!.image.state !== 'none')
  return (
    <section
      ref={section}
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
      {NAMES.map((name) => (
        <TextField
          key={name}
          name={`collision-${name}`}
          label={LABELS[name]()}
          optional={!isRequired(name)}
          type={name === 'phone' ? 'tel' : 'text'}
          autoComplete={AUTOCOMPLETE[name]}
          maxLength={name === 'plate' ? PLATE_TYPED_MAX : PARTICULARS_MAX[name]}
          value={values[name]}
          error={shown(errors[name])}
          onChange={(event) => change(name, event.target.value)}
        />
      ))}
      {visibleUploads.map((upload, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the positions never change
        <ImageField key={i} label={m.collision_photo({ number: i + 1 })} upload={upload} />
      ))}
      <Checkbox
        name="collision-confirm"
        label={m.collision_confirm()}
        checked={confirmed}
        error={shown(confirmError)}
        onChange={(event) => setConfirmed(event.target.checked)}
      />
    </section>
  )
}

const forgetPhoto = () => undefined

/** Returns the uploads of the photos of a card, one for each field. */
function usePhotoUploads() {
  const first = useImageUpload({ initial: null, onUploadedChange: forgetPhoto })
  const second = useImageUpload({ initial: null, onUploadedChange: forgetPhoto })
  const third = useImageUpload({ initial: null, onUploadedChange: forgetPhoto })
  return [first, second, third].slice(0, COLLISION_PHOTOS_MAX)
}
