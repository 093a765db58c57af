import { ImageIcon, ImagePlus, RotateCw, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { CameraButton, FileButton, UploadProgress } from '~/ui/signed-in/FileButton'
import type { ImageState, ImageUpload } from './use-image-upload.ts'

/** The endings too: a browser that cannot show HEIC may not know its type. */
const ACCEPTED = 'image/jpeg,image/png,image/heic,image/heif,.heic,.heif,image/webp,image/avif,image/gif'

/**
 * Asks for one optional image, from the camera or the gallery. It is shown while it uploads, and can always be removed.
 */
export function ImageField({ label, hint, upload }: { label: string; hint?: string; upload: ImageUpload }) {
  const input = useRef<HTMLInputElement>(null)
  const { image } = upload
  const error = image.state === 'none' || image.state === 'failed' ? image.error : undefined
  return (
    <Field label={label} hint={hint} error={error} optional>
      {(control) => (
        <div>
          <p role="status" className="sr-only">
            {statusText(image)}
          </p>
          {image.state !== 'none' && (
            <div className="mb-3 flex items-center gap-4 rounded-xl border border-line bg-surface p-3">
              <Preview
                key={image.preview}
                chosen={image.preview}
                uploaded={image.state === 'ready' ? image.uploaded : undefined}
              />
              <div className="grid min-w-0 flex-1 gap-2">
                {image.state === 'uploading' && <UploadProgress label={m.image_uploading()} share={image.progress} />}
                {image.state === 'ready' && <p className="font-bold">{m.image_ready()}</p>}
                <div className="flex flex-wrap gap-2">
                  {image.state === 'failed' && image.canRetry && (
                    <Button icon={RotateCw} onClick={() => upload.retry()}>
                      {m.action_retry()}
                    </Button>
                  )}
                  <Button
                    icon={Trash2}
                    variant="ghost"
                    className="-ml-2"
                    onClick={() => {
                      upload.remove()
                      input.current?.focus() // the pressed button disappears
                    }}
                  >
                    {m.image_remove()}
                  </Button>
                </div>
              </div>
            </div>
          )}
          <div className="flex flex-wrap gap-3">
            <CameraButton control={{ 'aria-describedby': control['aria-describedby'] }} onFile={upload.choose}>
              {m.image_camera()}
            </CameraButton>
            <FileButton icon={ImagePlus} control={control} ref={input} accept={ACCEPTED} onFile={upload.choose}>
              {image.state === 'none' ? m.image_add() : m.image_replace()}
            </FileButton>
          </div>
        </div>
      )}
    </Field>
  )
}

/** Returns what screen readers announce: not the percentage, which would never stop. */
function statusText(image: ImageState): string {
  if (image.state === 'uploading') return m.image_uploading()
  return image.state === 'ready' ? m.image_ready() : image.state === 'failed' ? image.error : ''
}

/**
 * Shows the chosen image. A format that this browser cannot show, as most cannot show HEIC, is an icon until the image is
 * uploaded, and then what the server made of it.
 */
function Preview({ chosen, uploaded }: { chosen: string; uploaded: string | undefined }) {
  const [broken, setBroken] = useState<string[]>([])
  const src = [chosen, uploaded].find((url) => url && !broken.includes(url))
  return (
    <div className="grid size-20 shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken">
      {src ? (
        <img
          src={src}
          alt={m.image_preview()}
          className="size-full object-cover"
          onError={() => setBroken([...broken, src])}
        />
      ) : (
        <ImageIcon aria-hidden="true" className="size-6 text-ink-soft" />
      )}
    </div>
  )
}
