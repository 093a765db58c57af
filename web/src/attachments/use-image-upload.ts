import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Attachment, IMAGE_MAX_BYTES } from '#contract/attachments.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { m } from '~/paraglide/messages'
import { shrinkImage } from './shrink-image.ts'
import { uploadImage } from './upload-image.ts'

/** What the field shows. `preview` is an address of the chosen file in this page; `mayPass`: the same file may do another time. */
export type ImageState =
  | { state: 'none'; error?: string }
  | { state: 'uploading'; preview: string; share: number }
  | { state: 'ready'; preview: string }
  | { state: 'failed'; preview: string; error: string; mayPass: boolean }

type Job = { file: File; preview: string; stop: AbortController; done: Promise<Attachment> }

export type ImageUpload = ReturnType<typeof useImageUpload>

/** One image beside a form: it uploads as soon as it is chosen, and the form asks for it when it is sent. */
export function useImageUpload() {
  const [image, setImage] = useState<ImageState>({ state: 'none' })
  const job = useRef<Job | null>(null)

  const drop = () => letGo(job)
  useEffect(() => () => letGo(job), [])

  const upload = (file: File) => {
    drop()
    const stop = new AbortController()
    const preview = URL.createObjectURL(file)
    const show = (next: ImageState) => {
      if (!stop.signal.aborted) setImage(next)
    }
    const work = async () => {
      const small = await shrinkImage(file)
      if (small.size > IMAGE_MAX_BYTES) throw new TooLarge()
      return uploadImage(small, {
        signal: stop.signal,
        onProgress: (share) => show({ state: 'uploading', preview, share }),
      })
    }
    show({ state: 'uploading', preview, share: 0 })
    const done = work()
    job.current = { file, preview, stop, done }
    done.then(
      () => show({ state: 'ready', preview }),
      (error: unknown) => show({ state: 'failed', preview, error: textOf(error), mayPass: mayPass(error) }),
    )
  }

  return {
    image,
    /** Takes a file a person chose; what is no image is refused at once. */
    choose(file: File) {
      if (file.type === '' || file.type.startsWith('image/')) return upload(file)
      drop()
      setImage({ state: 'none', error: m.image_not_an_image() })
    },
    retry() {
      if (job.current) upload(job.current.file)
    },
    remove() {
      drop()
      setImage({ state: 'none' })
    },
    /** The server no longer has the image: it can be sent again from here. */
    lost(error: string) {
      if (job.current) setImage({ state: 'failed', preview: job.current.preview, error, mayPass: true })
    },
    /** The uploaded image, waited for; undefined when none was chosen. Throws what the upload threw. */
    uploaded: async (): Promise<Attachment | undefined> => job.current?.done,
  }
}

/** Calls the upload off and frees the preview. */
function letGo(job: RefObject<Job | null>) {
  if (!job.current) return
  job.current.stop.abort()
  URL.revokeObjectURL(job.current.preview)
  job.current = null
}

class TooLarge extends Error {}

const textOf = (error: unknown) => (error instanceof TooLarge ? m.image_too_large() : errorMessage(error))

/** Not when the file itself was refused: it would be again. */
const mayPass = (error: unknown) =>
  !(error instanceof TooLarge) && !(error instanceof ApiError && [400, 413].includes(error.status))
