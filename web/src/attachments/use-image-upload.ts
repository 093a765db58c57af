import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Attachment, IMAGE_MAX_BYTES } from '#contract/attachments.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { m } from '~/paraglide/messages'
import { shrinkImage } from './shrink-image.ts'
import { uploadImage } from './upload-image.ts'

/** What the field shows. `preview` is an address of the image; `mayPass`: the same file may do another time. */
export type ImageState =
  | { state: 'none'; error?: string }
  | { state: 'uploading'; preview: string; share: number }
  | { state: 'ready'; preview: string }
  | { state: 'failed'; preview: string; error: string; mayPass: boolean }

/** `file` is null for an image that was uploaded before the page was loaded. */
type Job = { file: File | null; preview: string; stop: AbortController; done: Promise<Attachment> }

type Kept = {
  /** Uploaded before a reload of the page. */
  kept: Attachment | null
  /** Told what is uploaded now, to be kept for after a reload; null: nothing is. */
  keep: (image: Attachment | null) => void
}

export type ImageUpload = ReturnType<typeof useImageUpload>

/** One image beside a form: it uploads as soon as it is chosen, and the form asks for it when it is sent. */
export function useImageUpload({ kept, keep }: Kept) {
  const [first] = useState(kept)
  const [image, setImage] = useState<ImageState>(first ? { state: 'ready', preview: first.url } : { state: 'none' })
  const job = useRef<Job | null>(null)

  const drop = () => letGo(job)
  useEffect(() => {
    if (first) {
      job.current = { file: null, preview: first.url, stop: new AbortController(), done: Promise.resolve(first) }
    }
    return () => letGo(job)
  }, [first])

  const upload = (file: File) => {
    drop()
    keep(null)
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
      (uploaded) => {
        show({ state: 'ready', preview })
        if (!stop.signal.aborted) keep(uploaded)
      },
      (error: unknown) => show({ state: 'failed', preview, error: textOf(error, file), mayPass: mayPass(error) }),
    )
  }

  return {
    image,
    /** Takes a file a person chose; what is no image is refused at once. */
    choose(file: File) {
      if (file.type === '' || file.type.startsWith('image/')) return upload(file)
      drop()
      keep(null)
      setImage({ state: 'none', error: m.image_not_an_image() })
    },
    retry() {
      if (job.current?.file) upload(job.current.file)
    },
    remove() {
      drop()
      keep(null)
      setImage({ state: 'none' })
    },
    /** The server no longer has the image: it can be sent again from here, if its file is still here. */
    lost(error: string) {
      keep(null)
      if (job.current?.file) return setImage({ state: 'failed', preview: job.current.preview, error, mayPass: true })
      drop()
      setImage({ state: 'none', error })
    },
    /** The uploaded image, waited for; undefined when none was chosen. Throws what the upload threw. */
    uploaded: async (): Promise<Attachment | undefined> => job.current?.done,
  }
}

/** Calls the upload off and frees the preview. */
function letGo(job: RefObject<Job | null>) {
  if (!job.current) return
  job.current.stop.abort()
  if (job.current.file) URL.revokeObjectURL(job.current.preview)
  job.current = null
}

class TooLarge extends Error {}

function textOf(error: unknown, file: File): string {
  if (error instanceof TooLarge) return m.image_too_large()
  // what iPhones write unless a browser asks them for JPEG; the general text would not name it
  const heic = /^image\/hei[cf]$/.test(file.type) || /\.hei[cf]$/i.test(file.name)
  return heic && error instanceof ApiError && error.code === 'image_unreadable' ? m.image_heic() : errorMessage(error)
}

/** Not when the file itself was refused: it would be again. */
const mayPass = (error: unknown) =>
  !(error instanceof TooLarge) && !(error instanceof ApiError && [400, 413].includes(error.status))
