import { Send } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { MESSAGE_MAX, type NewMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { displayPlate, isPlate } from '#contract/plates.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { collisionTemplate, localizedMessageText } from '#contract/reasons.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { ImageField } from '~/attachments/ImageField'
import { useImageUpload } from '~/attachments/use-image-upload'
import { collisionOf, validateCollision } from '~/collisions/collision-fields'
import { type FieldErrors, useForm } from '~/lib/form/use-form'
import { ApiError } from '~/lib/http/api'
import { currentPath, getLocale, href, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { useOnline } from '~/lib/page/browser-state'
import { plateError } from '~/lib/plates/plate-error'
import { refetchSent } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmergencyCall } from '~/ui/EmergencyCall'
import { AnnouncedFailure } from '~/ui/FailureAlert'
import { OfflineNote } from '~/ui/OfflineBanner'
import { PlateField } from '~/ui/PlateField'
import { Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { TextArea } from '~/ui/TextArea'
import { JUST_SENT } from './just-sent.ts'
import { ReasonButtons, useReasonPicker } from './ReasonButtons.tsx'
import {
  clearSendDraft,
  readSendDraft,
  type SendValues,
  saveSendDraft,
  saveSendDraftImage,
  submitMessage,
} from './send-draft.ts'
import { validateMessageLength } from './validators.ts'

// loaded on demand: few messages are about a collision
const loadCollision = () => import('~/collisions/CollisionPart')

type Props = {
  /** Fills in the plate; empty to go on with what was written before. */
  plateFromUrl: string
  /** For somebody who hit the vehicle: asks who they are instead of for a reason. */
  isHit: boolean
}

// loaded on demand: few sends need it
const loadNoteOffer = () => import('~/notes/NoteOffer')

/** What was refused because of its plate, and what one can do. */
type Refusal = {
  plateHelp?: string
  /** What was refused because its plate is not registered. */
  unregistered?: { message: Omit<NewMessage, 'attachment_id'>; hasImage: boolean }
}

/** Error codes about the plate, which are shown at its field, each with what one can do. */
const PLATE_HELP: Partial<Record<string, () => string>> = {
  plate_not_registered: m.send_help_not_registered,
  own_vehicle: m.send_help_own,
  vehicle_not_active: m.send_help_not_active,
}

/** The reason is shown at the image, and at no field. */
class ImageError extends Error {
  readonly fields = {}
}

function validate(values: SendValues): FieldErrors<SendValues> {
  const { plate: typed, content, province } = values
  const plate = displayPlate(typed)
  return {
    plate: plate === '' ? m.refusal_fields_missing() : isPlate(plate) || plateError(typed),
    content: hasVisibleCharacter(content) ? validateMessageLength(content) : m.refusal_fields_missing(),
    province: province !== '' || m.field_province_missing(),
    ...validateCollision(values),
  }
}

/**
 * Asks for reason, plate, message and image. Nothing is lost: what is filled in survives a reload, a sign-in and every
 * error.
 */
export function SendForm({ plateFromUrl, isHit }: Props) {
  const navigate = useNavigate()
  const online = useOnline()
  const id = useId()
  const urgent = useRef<HTMLElement>(null)
  const [draft] = useState(() => readSendDraft(plateFromUrl, isHit))
  const upload = useImageUpload({ initial: draft.image, onUploadedChange: saveSendDraftImage })
  // those of a card, COLLISION_PHOTOS_MAX of them
  const photos = [useImageUpload(), useImageUpload(), useImageUpload()]
  const [provinces, setProvinces] = useState<Province[]>(draft.provinces)
  const [{ plateHelp = null, unregistered }, setRefusal] = useState<Refusal>({})
  const form = useForm<SendValues>({
    defaultValues: {
      ...draft.values,
      // the page may be in another language than when a template was filled in
      content: localizedMessageText(
        { content: draft.values.content, reason: draft.values.reason || null },
        getLocale(),
      ),
    },
    validate,
    onSubmit: send,
  })
  const { register, setFocus, failure } = form
  const { plate, content, reason, province } = form.values
  const reasonPicker = useReasonPicker(form)
  const someoneInside = reason === 'someone_inside'
  const isHelpFirst = someoneInside && !reasonPicker.helpAcknowledged

  useEffect(() => {
    saveSendDraft(form.values, provinces, plateFromUrl)
  }, [form.values, provinces, plateFromUrl])

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
    setRefusal({})
    const uploads = [upload, ...(isHit ? photos : [])].map((one) => one.waitForUpload())
    const [image, ...cardPhotos] = await Promise.all(uploads).catch(() => {
      throw new ImageError()
    })
    const about =
      values.reason === 'accident'
        ? collisionOf(
            values,
            cardPhotos.flatMap((photo) => photo?.id ?? []),
          )
        : undefined
    if (about === null) return undefined // the code of its questions has not loaded
    const message = {
      plate: displayPlate(values.plate),
      content: values.content,
      ...(values.province && { province: values.province }),
      ...(values.reason && { reason: values.reason }),
    }
    try {
      const sent = await submitMessage({
        ...message,
        ...(image && { attachment_id: image.id }),
        ...(about && { collision: about }),
      })
      clearSendDraft() // the next message goes to another plate
      refetchSent()
      await navigate(href(paths.messages('sent', sent.id)), { replace: true, state: JUST_SENT })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const help = PLATE_HELP[error.code]
      if (help) {
        // an anonymous note would not do for somebody who hit the vehicle
        const canLeaveNote = error.code === 'plate_not_registered' && !isHit
        setRefusal({
          plateHelp: help(),
          ...(canLeaveNote && { unregistered: { message, hasImage: image !== undefined } }),
        })
        return { plate: error.message }
      }
      if (error.code === 'attachment_unknown') {
        upload.markMissing(error.message)
        throw new ImageError()
      }
      if (error.code !== 'province_needed') throw error
      setProvinces(PROVINCES.filter((name) => error.data?.provinces?.includes(name)))
      return undefined
    }
  }

  const continueWriting = () => {
    reasonPicker.acknowledgeHelp()
    requestAnimationFrame(() => setFocus(plate === '' ? 'plate' : 'content')) // the message is hidden until then
  }

  const onSaw = () => {
    reasonPicker.fill(collisionTemplate('saw', getLocale()))
    form.setValue('collision-kind', 'saw')
  }

  /** Clears what the server said about the former plate. */
  const onPlateChange = () => {
    setRefusal({})
    form.setFailure(null)
    if (provinces.length === 0) return
    setProvinces([])
    form.setValue('province', '')
  }

  return (
    <Card>
      <form noValidate className="grid gap-6" {...form.formProps}>
        {!isHit && <ReasonButtons selected={reason} onToggle={reasonPicker.toggle} />}
        {someoneInside && (
          // focused, so that it is announced: help is called before anything else
          <section
            ref={urgent}
            tabIndex={-1}
            aria-labelledby={`${id}-urgent`}
            aria-describedby={`${id}-help`}
            className="grid scroll-mt-20 gap-3 outline-none"
          >
            <EmergencyCall title={<h2 id={`${id}-urgent`}>{m.send_urgent_title()}</h2>} call={m.call_911()}>
              <p id={`${id}-help`}>{m.send_urgent_text()}</p>
              <p className="text-sm text-ink-soft">{m.send_urgent_text_911()}</p>
            </EmergencyCall>
            {isHelpFirst && (
              <Button size="lg" onClick={continueWriting}>
                {m.send_urgent_continue()}
              </Button>
            )}
          </section>
        )}
        {reason === 'accident' && !isHit && (
          <LoadedPart name="collision" load={loadCollision} skeleton={<Skeleton className="h-24 w-full" />}>
            {({ CollisionQuestion }) => <CollisionQuestion {...form} onSaw={onSaw} />}
          </LoadedPart>
        )}
        <PlateField
          label={isHit ? m.send_plate_hit() : m.send_plate()}
          hint={m.send_plate_hint()}
          note={plateHelp}
          province={province || undefined}
          enterKeyHint={content === '' ? 'next' : 'send'}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || content !== '') return
            event.preventDefault() // on a phone's keyboard the key says 'next' here
            setFocus('content')
          }}
          {...register('plate', onPlateChange)}
        />
        {unregistered && (
          <LoadedPart name="note offer" load={loadNoteOffer} skeleton={<Skeleton className="h-40 w-full" />}>
            {({ NoteOffer }) => (
              <NoteOffer
                hasImage={unregistered.hasImage}
                // what was written since the refusal counts
                message={{ ...unregistered.message, content }}
                onLeft={clearSendDraft}
              />
            )}
          </LoadedPart>
        )}
        {provinces.length > 0 && (
          <Select
            label={m.send_province()}
            hint={verbatim(m.send_province_needed({ plate: displayPlate(plate) }), displayPlate(plate))}
            placeholder={m.province_choose()}
            options={provinces.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
            {...register('province')}
          />
        )}
        {isHit && (
          <LoadedPart name="collision" load={loadCollision} skeleton={<Skeleton className="h-96 w-full" />}>
            {({ HitFields }) => <HitFields {...form} photos={photos} />}
          </LoadedPart>
        )}
        <div className="grid gap-6" hidden={isHelpFirst}>
          <div className="grid gap-3">
            <TextArea
              label={m.send_message()}
              hint={isHit ? undefined : m.send_message_hint()}
              rows={5}
              maxCharacters={MESSAGE_MAX}
              {...register('content')}
            />
            <p role="status" className="sr-only">
              {reasonPicker.status}
            </p>
          </div>
          {(!isHit || upload.image.state !== 'none') && ( // the card has photos of its own
            <ImageField
              label={m.send_image()}
              hint={upload.image.state === 'none' ? undefined : m.send_image_hint()}
              upload={upload}
            />
          )}
          <AnnouncedFailure failure={failure instanceof ImageError ? m.send_image_failed() : failure}>
            <WayOut failure={failure} />
          </AnnouncedFailure>
          <Button
            icon={Send}
            type="submit"
            variant="primary"
            size="lg"
            pending={form.pending}
            pendingText={m.send_sending()}
            aria-describedby={online ? undefined : `${id}-offline`}
          >
            {isHit ? m.send_details() : m.send_submit()}
          </Button>
          {!online && failure === null && <OfflineNote id={`${id}-offline`}>{m.send_offline()}</OfflineNote>}
        </div>
      </form>
    </Card>
  )
}

/** Says that what was written is kept, and what helps. */
function WayOut({ failure }: { failure: unknown }) {
  if (!(failure instanceof ApiError)) return null
  if (failure.status === 0 || failure.status >= 500)
    return (
      <>
        <p>{m.send_kept()}</p>
        <Button type="submit">{m.action_retry()}</Button>
      </>
    )
  if (failure.retryAfterS !== undefined) return <p>{m.send_text_kept()}</p>
  if (failure.code !== 'email_not_confirmed') return null
  return (
    <Link to={paths.verifyEmail(currentPath())} className="link inline-flex min-h-11 items-center">
      {m.send_confirm_email()}
    </Link>
  )
}
