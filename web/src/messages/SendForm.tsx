import { useQueryClient } from '@tanstack/react-query'
import { Info, Send } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { localizedMessageText } from '#contract/reasons.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { ImageField } from '~/attachments/ImageField'
import { useImageUpload } from '~/attachments/use-image-upload'
import { type FieldErrors, useForm } from '~/lib/form/use-form'
import { ApiError } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { useOnline } from '~/lib/page/browser-state'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { OfflineNote } from '~/ui/OfflineNote'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { FormAlert } from './FormAlert.tsx'
import { submitMessage } from './queries.ts'
import { ReasonButtons, useReasonPicker } from './ReasonButtons.tsx'
import { readSendDraft, type SendValues, saveSendDraft, saveSendDraftImage } from './send-draft.ts'
import { UrgentNotice } from './UrgentNotice.tsx'
import { validateMessageLength } from './validators.ts'

type Props = {
  /** Fills in the plate; empty to go on with what was written before. */
  plateFromUrl: string
  onSent: (message: { id: string; plate: string }) => void
}

/** Error codes about the plate, which are shown at its field. */
const PLATE_FIELD_CODES = new Set(['plate_not_registered', 'own_vehicle', 'vehicle_not_active'])

const FIELDS = ['plate', 'content', 'province'] as const

function validate({ plate: typed, content, province }: SendValues): FieldErrors<SendValues> {
  const plate = displayPlate(typed)
  const noText = !hasVisibleCharacter(content)
  return {
    plate: plate === '' ? m.send_fill_both() : isPlate(plate) || m.send_plate_shape(),
    // both empty: one error, at the first of them
    content: noText ? plate === '' || m.send_fill_both() : validateMessageLength(content),
    province: province !== '' || m.send_province_required(),
  }
}

/**
 * Asks for plate, reason, message and image. Nothing is lost: what is filled in survives a reload, a sign-in and every
 * error.
 */
export function SendForm({ plateFromUrl, onSent }: Props) {
  const queries = useQueryClient()
  const online = useOnline()
  const offlineNote = useId()
  const urgent = useRef<HTMLElement>(null)
  const [draft] = useState(() => readSendDraft(plateFromUrl))
  const upload = useImageUpload({ initial: draft.image, onUploadedChange: saveSendDraftImage })
  const [provinces, setProvinces] = useState<Province[]>(draft.provinces)
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<SendValues>({
    defaultValues: {
      plate: draft.plate,
      // the page may be in another language than when a template was filled in
      content: localizedMessageText({ content: draft.content, reason: draft.reason || null }, getLocale()),
      reason: draft.reason,
      province: draft.province,
    },
    validate,
    onSubmit: send,
  })
  const { register, setFocus } = form
  const { plate, content, reason, province } = form.values
  const reasonPicker = useReasonPicker(form)
  const someoneInside = reason === 'someone_inside'
  const isHelpFirst = someoneInside && !reasonPicker.helpAcknowledged

  useEffect(() => {
    saveSendDraft({ plate, content, reason, province, provinces, named: plateFromUrl })
  }, [plate, content, reason, province, provinces, plateFromUrl])

  useEffect(() => {
    if (provinces.length > 0 && provinces !== draft.provinces) setFocus('province') // the server has just asked for it
  }, [provinces, draft.provinces, setFocus])

  useEffect(() => {
    if (isHelpFirst) urgent.current?.focus()
  }, [isHelpFirst])

  async function send(values: SendValues) {
    if (isHelpFirst) {
      urgent.current?.focus() // Enter in the plate field submits too
      return undefined
    }
    setFailure(null)
    const image = await upload.waitForUpload().catch(() => 'failed' as const)
    if (image === 'failed') {
      setFailure(m.send_image_failed()) // the reason is shown at the image
      return undefined
    }
    try {
      const sent = await submitMessage({
        plate: displayPlate(values.plate),
        content: values.content,
        ...(values.province && { province: values.province }),
        ...(values.reason && { reason: values.reason }),
        ...(image && { attachment_id: image.id }),
      })
      void queries.invalidateQueries({ queryKey: ['messages', 'sent'] })
      void queries.invalidateQueries({ queryKey: ['dashboard'] })
      onSent(sent)
      return undefined
    } catch (error) {
      return fieldErrorsFrom(error)
    }
  }

  /** Returns the errors of fields; shows any other error where it belongs. */
  function fieldErrorsFrom(error: unknown): FieldErrors<SendValues> | undefined {
    if (error instanceof ApiError && PLATE_FIELD_CODES.has(error.code)) return { plate: error.message }
    if (error instanceof ApiError && FIELDS.some((name) => name in error.fields)) return error.fields
    if (error instanceof ApiError && error.code === 'province_needed') {
      setProvinces(PROVINCES.filter((name) => error.data?.provinces?.includes(name)))
    } else if (error instanceof ApiError && error.code === 'attachment_unknown') {
      upload.markMissing(error.message)
      setFailure(m.send_image_failed())
    } else {
      setFailure(error)
    }
    return undefined
  }

  /** Clears what the server said about the former plate. */
  const onPlateChange = () => {
    setFailure(null)
    if (provinces.length === 0) return
    setProvinces([])
    form.setValue('province', '')
  }

  return (
    <Card>
      <form noValidate className="grid gap-6" {...form.formProps}>
        <PlateField
          label={m.send_plate()}
          hint={m.send_plate_shape()}
          province={province || undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || content !== '') return
            event.preventDefault() // on a phone's keyboard the key says 'next' here
            setFocus('content')
          }}
          {...register('plate', onPlateChange)}
        />
        {provinces.length > 0 && (
          <Select
            label={m.send_province()}
            hint={m.send_province_needed({ plate: displayPlate(plate) })}
            placeholder={m.send_province_choose()}
            options={provinces.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
            {...register('province')}
          />
        )}
        <ReasonButtons selected={reason} onToggle={reasonPicker.toggle} />
        {someoneInside && (
          <UrgentNotice
            ref={urgent}
            onContinue={
              isHelpFirst
                ? () => {
                    reasonPicker.acknowledgeHelp()
                    requestAnimationFrame(() => setFocus('content')) // the field is hidden until then
                  }
                : null
            }
          />
        )}
        <div className="grid gap-6" hidden={isHelpFirst}>
          <div className="grid gap-3">
            <TextArea
              label={m.send_message()}
              hint={m.send_message_hint()}
              rows={5}
              maxCharacters={MESSAGE_MAX}
              {...register('content')}
            />
            <p role="status" className="sr-only">
              {reasonPicker.status}
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
            pending={form.pending}
            pendingText={m.send_sending()}
            aria-describedby={online ? undefined : offlineNote}
          >
            <Send aria-hidden="true" className="size-5" />
            {m.send_submit()}
          </Button>
          {!online && failure === null && <OfflineNote id={offlineNote}>{m.send_offline()}</OfflineNote>}
        </div>
      </form>
    </Card>
  )
}
