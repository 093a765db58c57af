import { useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { ImageField } from '~/attachments/ImageField'
import { useImageUpload } from '~/attachments/use-image-upload'
import { ApiError } from '~/lib/api'
import { keepDraft, readDraft } from '~/lib/drafts'
import { getLocale } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { FormAlert } from './FormAlert.tsx'
import { deliver } from './queries.ts'
import { fits } from './text-rules.ts'

export const SEND_DRAFT = 'send'

type Values = { plate: string; content: string; province: Province | '' }

/** Refusals that are about the plate, and stand by its field. */
const ABOUT_PLATE = new Set(['plate_not_registered', 'own_vehicle', 'vehicle_not_active'])

/**
 * Plate, message and image. Nothing typed is lost: texts survive a reload and every refusal.
 *
 * @param plate fills the plate in; empty: what was typed before
 */
export function SendForm({ plate, onSent }: { plate: string; onSent: (plate: string) => void }) {
  const queries = useQueryClient()
  const upload = useImageUpload()
  const [draft] = useState(readSendDraft)
  const [provinces, setProvinces] = useState<Province[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<Values>({ defaultValues: { ...draft, ...(plate && { plate }), province: '' } })
  const { register, setError, setFocus, setValue, getValues, formState } = form
  const { errors, isSubmitting } = formState
  const province = useWatch({ control: form.control, name: 'province' })

  useEffect(() => {
    if (provinces.length > 0) setFocus('province')
  }, [provinces, setFocus])

  const submit = async (values: Values) => {
    setFailure(null)
    const image = await upload.uploaded().catch(() => 'failed' as const)
    if (image === 'failed') return setFailure(m.send_image_failed()) // why stands by the image
    const message = {
      plate: displayPlate(values.plate),
      content: values.content,
      ...(values.province && { province: values.province }),
      ...(image && { attachment_id: image.id }),
    }
    try {
      const sent = await deliver(message)
      void queries.invalidateQueries({ queryKey: ['messages', 'sent'] })
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      onSent(sent.plate)
    } catch (error) {
      show(error)
    }
  }

  /** Puts a refusal where it belongs. */
  const show = (error: unknown) => {
    if (!(error instanceof ApiError)) return setFailure(error)
    if (error.code === 'province_needed') {
      return setProvinces(PROVINCES.filter((name) => error.data?.provinces?.includes(name)))
    }
    if (error.code === 'attachment_unknown') return upload.lost(error.message)
    if (ABOUT_PLATE.has(error.code)) return setError('plate', { message: error.message }, { shouldFocus: true })
    const field = (['plate', 'content', 'province'] as const).find((name) => name in error.fields)
    if (field) return setError(field, { message: error.fields[field] }, { shouldFocus: true })
    setFailure(error)
  }

  /** Another plate: the provinces of the former one say nothing about it. */
  const plateChanged = () => {
    if (provinces.length === 0) return
    setProvinces([])
    setValue('province', '')
  }

  return (
    <Card>
      <form
        noValidate
        className="grid gap-6"
        onChange={() => keepDraft(SEND_DRAFT, { plate: getValues('plate'), content: getValues('content') })}
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <PlateField
          label={m.send_plate()}
          hint={m.send_plate_shape()}
          error={errors.plate?.message}
          province={province || undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || getValues('content') !== '') return
            event.preventDefault() // the key of a phone's keyboard says 'next' here
            setFocus('content')
          }}
          {...register('plate', {
            onChange: plateChanged,
            validate: {
              missing: (typed) => displayPlate(typed) !== '' || m.send_fill_both(),
              shape: (typed) => isPlate(displayPlate(typed)) || m.send_plate_shape(),
            },
          })}
        />
        {provinces.length > 0 && (
          <Select
            label={m.send_province()}
            hint={m.send_province_needed({ plate: displayPlate(getValues('plate')) })}
            placeholder={m.send_province_choose()}
            options={provinces.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
            error={errors.province?.message}
            {...register('province', { validate: (chosen) => chosen !== '' || m.send_province_required() })}
          />
        )}
        <TextArea
          label={m.send_message()}
          hint={m.send_message_hint()}
          rows={5}
          maxCharacters={MESSAGE_MAX}
          defaultValue={draft.content}
          // both empty: one text, at the first of them
          error={
            errors.plate?.type === 'missing' && errors.content?.type === 'missing' ? undefined : errors.content?.message
          }
          {...register('content', {
            validate: {
              missing: (typed) => typed.trim() !== '' || m.send_fill_both(),
              length: fits,
            },
          })}
        />
        <ImageField label={m.send_image()} hint={m.send_image_hint()} upload={upload} />
        <FormAlert error={failure} />
        <Button type="submit" variant="primary" size="lg" pending={isSubmitting} pendingText={m.send_sending()}>
          <Send aria-hidden="true" className="size-5" />
          {m.send_submit()}
        </Button>
      </form>
    </Card>
  )
}

function readSendDraft(): { plate: string; content: string } {
  const kept = readDraft(SEND_DRAFT)
  const of = (name: string) => {
    const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined
    return typeof value === 'string' ? value : ''
  }
  return { plate: of('plate'), content: of('content') }
}
