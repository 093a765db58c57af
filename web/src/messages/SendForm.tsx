import { useQueryClient } from '@tanstack/react-query'
import { Info, Send, WifiOff } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { textFor } from '#contract/reasons.ts'
import { ImageField } from '~/attachments/ImageField'
import { useImageUpload } from '~/attachments/use-image-upload'
import { ApiError } from '~/lib/api'
import { getLocale } from '~/lib/i18n'
import { useOnline } from '~/lib/use-online'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { FormAlert } from './FormAlert.tsx'
import { deliver } from './queries.ts'
import { ReasonButtons } from './ReasonButtons.tsx'
import { keepImageInSendDraft, keepInSendDraft, readSendDraft } from './send-draft.ts'
import type { SendValues } from './send-values.ts'
import { fits } from './text-rules.ts'
import { UrgentNotice } from './UrgentNotice.tsx'
import { useReason } from './use-reason.ts'

/** Refusals that are about the plate, and stand by its field. */
const ABOUT_PLATE = new Set(['plate_not_registered', 'own_vehicle', 'vehicle_not_active'])

/**
 * Plate, reason, message and image. Nothing is lost: it survives a reload, a sign-in and every refusal.
 *
 * @param named the plate of the address, filled in; empty: what was written before
 */
export function SendForm({
  named,
  onSent,
}: {
  named: string
  onSent: (message: { id: string; plate: string }) => void
}) {
  const queries = useQueryClient()
  const online = useOnline()
  const offlineNote = useId()
  const urgent = useRef<HTMLElement>(null)
  const [draft] = useState(() => readSendDraft(named))
  const upload = useImageUpload({ kept: draft.image, keep: keepImageInSendDraft })
  const [provinces, setProvinces] = useState<Province[]>(draft.provinces)
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<SendValues>({
    defaultValues: {
      plate: draft.plate,
      // the page may be in another language than when a ready text was filled in
      content: textFor({ content: draft.content, reason: draft.reason || null }, getLocale()),
      reason: draft.reason,
      province: draft.province,
    },
  })
  const { register, setError, setFocus, setValue, getValues, formState } = form
  const { errors, isSubmitting } = formState
  const about = useReason(form)
  const [plate, content, reason, province] = useWatch({
    control: form.control,
    name: ['plate', 'content', 'reason', 'province'],
  })
  const someoneInside = reason === 'someone_inside'
  const waits = someoneInside && about.helpFirst

  useEffect(() => {
    keepInSendDraft({ plate, content, reason, province, provinces, named })
  }, [plate, content, reason, province, provinces, named])

  useEffect(() => {
    if (provinces.length > 0 && provinces !== draft.provinces) setFocus('province') // asked for just now
  }, [provinces, draft.provinces, setFocus])

  useEffect(() => {
    if (waits) urgent.current?.focus()
  }, [waits])

  const submit = async (values: SendValues) => {
    if (waits) return urgent.current?.focus() // Enter in the plate field sends too
    setFailure(null)
    const image = await upload.uploaded().catch(() => 'failed' as const)
    if (image === 'failed') return setFailure(m.send_image_failed()) // why stands by the image
    try {
      const sent = await deliver({
        plate: displayPlate(values.plate),
        content: values.content,
        ...(values.province && { province: values.province }),
        ...(values.reason && { reason: values.reason }),
        ...(image && { attachment_id: image.id }),
      })
      void queries.invalidateQueries({ queryKey: ['messages', 'sent'] })
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      onSent(sent)
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
    if (error.code === 'attachment_unknown') {
      upload.lost(error.message)
      return setFailure(m.send_image_failed())
    }
    if (ABOUT_PLATE.has(error.code)) return setError('plate', { message: error.message }, { shouldFocus: true })
    const field = (['plate', 'content', 'province'] as const).find((name) => name in error.fields)
    if (field) return setError(field, { message: error.fields[field] }, { shouldFocus: true })
    setFailure(error)
  }

  /** Another plate: what was said of the former one says nothing about it. */
  const plateChanged = () => {
    setFailure(null)
    if (provinces.length === 0) return
    setProvinces([])
    setValue('province', '')
  }

  return (
    <Card>
      <form noValidate className="grid gap-6" onSubmit={(event) => void form.handleSubmit(submit)(event)}>
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
            hint={m.send_province_needed({ plate: displayPlate(plate) })}
            placeholder={m.send_province_choose()}
            options={provinces.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
            error={errors.province?.message}
            {...register('province', { validate: (chosen) => chosen !== '' || m.send_province_required() })}
          />
        )}
        <ReasonButtons chosen={reason} onPress={about.press} />
        {someoneInside && (
          <UrgentNotice
            ref={urgent}
            onContinue={
              waits
                ? () => {
                    about.goOn()
                    requestAnimationFrame(() => setFocus('content')) // it is shown only then
                  }
                : null
            }
          />
        )}
        <div className="grid gap-6" hidden={waits}>
          <div className="grid gap-3">
            <TextArea
              label={m.send_message()}
              hint={m.send_message_hint()}
              rows={5}
              maxCharacters={MESSAGE_MAX}
              value={content}
              // both empty: one text, at the first of them
              error={
                errors.plate?.type === 'missing' && errors.content?.type === 'missing'
                  ? undefined
                  : errors.content?.message
              }
              {...register('content', {
                validate: {
                  missing: (typed) => typed.trim() !== '' || m.send_fill_both(),
                  length: fits,
                },
              })}
            />
            <p role="status" className="sr-only">
              {about.status}
            </p>
            <div role="status" className="empty:sr-only">
              {reason === 'accident' && (
                <p className="flex items-start gap-2.5 rounded-xl bg-sunken p-3.5 text-sm">
                  <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
                  {m.send_accident_law()}
                </p>
              )}
            </div>
          </div>
          <ImageField label={m.send_image()} hint={m.send_image_hint()} upload={upload} />
          <FormAlert error={failure} />
          <Button
            type="submit"
            variant="primary"
            size="lg"
            pending={isSubmitting}
            pendingText={m.send_sending()}
            aria-describedby={online ? undefined : offlineNote}
          >
            <Send aria-hidden="true" className="size-5" />
            {m.send_submit()}
          </Button>
          {!online && failure === null && (
            <p id={offlineNote} className="flex items-start gap-2 text-sm font-semibold">
              <WifiOff aria-hidden="true" className="size-5 shrink-0" />
              {m.send_offline()}
            </p>
          )}
        </div>
      </form>
    </Card>
  )
}
