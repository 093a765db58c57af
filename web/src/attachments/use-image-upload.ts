import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Attachment, IMAGE_MAX_BYTES, uploadAttachment } from '#contract/attachments.ts'
import { ApiError, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { shrinkImage, uploadFile } from './upload-file.ts'

/** What the field shows. `preview` is a URL of the chosen file, `uploaded` of what became of it; `canRetry`: the same file may succeed another time. */
export type ImageState =
  | { state: 'none'; error?: string }
  | { state: 'uploading'; preview: string; progress: number }
  | { state: 'ready'; preview: string; uploaded: string }
  | { state: 'failed'; preview: string; error: string; canRetry: boolean }

/** `file` is null for an image that was uploaded before the page was loaded. */
type Job = { file: File | null; preview: string; controller: AbortController; upload: Promise<Attachment> }

type ImageUploadOptions = {
  /** The image that was uploaded before a reload of the page. */
  initial?: Attachment | null
  /** Called with the uploaded image, to be stored for after a reload; null: there is none. */
  onUploadedChange?: (image: Attachment | null) => void
}

export type ImageUpload = ReturnType<typeof useImageUpload>

/** Uploads one image for a form as soon as it is chosen. The form waits for it when it is submitted. */
export function useImageUpload({ initial = null, onUploadedChange }: ImageUploadOptions = {}) {
  const [first] = useState(initial)
  const [image, setImage] = useState<ImageState>(
    first ? { state: 'ready', preview: first.url, uploaded: first.url } : { state: 'none' },
  )
  const job = useRef<Job | null>(
    first && { file: null, preview: first.url, controller: new AbortController(), upload: Promise.resolve(first) },
  )
  const cancel = () => cancelJob(job)
  useEffect(() => () => cancelJob(job), [])

  const upload = (file: File) => {
    cancel()
    onUploadedChange?.(null)
    const controller = new AbortController()
    const preview = URL.createObjectURL(file)
    const show = (next: ImageState) => {
      if (!controller.signal.aborted) setImage(next)
    }
    const work = async () => {
      const shrunk = await shrinkImage(file)
      if (shrunk.size > IMAGE_MAX_BYTES) throw new ImageTooLargeError()
      return uploadFile<Attachment>(uploadAttachment.path, shrunk, {
        signal: controller.signal,
        onProgress: (share) => show({ state: 'uploading', preview, progress: share }),
      })
    }
    show({ state: 'uploading', preview, progress: 0 })
    const uploading = work()
    job.current = { file, preview, controller, upload: uploading }
    uploading.then(
      (uploaded) => {
        show({ state: 'ready', preview, uploaded: uploaded.url })
        if (!controller.signal.aborted) onUploadedChange?.(uploaded)
      },
      (error: unknown) => show({ state: 'failed', preview, error: uploadErrorText(error), canRetry: canRetry(error) }),
    )
  }

  return {
    image,
    /** Accepts the file that was chosen; rejects at once what is not an image. */
    choose(file: File) {
      if (file.type === '' || file.type.startsWith('image/')) return upload(file)
      cancel()
      onUploadedChange?.(null)
      setImage({ state: 'none', error: m.refusal_image_unreadable() })
    },
    retry() {
      if (job.current?.file) upload(job.current.file)
    },
    remove() {
      cancel()
      onUploadedChange?.(null)
      setImage({ state: 'none' })
    },
    /** Shows that the server no longer has the image, which can be uploaded again if its file is still at hand. */
    markMissing(error: string) {
      onUploadedChange?.(null)
      if (job.current?.file) return setImage({ state: 'failed', preview: job.current.preview, error, canRetry: true })
      cancel()
      setImage({ state: 'none', error })
    },
    /** Waits for the uploaded image; undefined when none was chosen. Throws what the upload threw. */
    waitForUpload: async (): Promise<Attachment | undefined> => job.current?.upload,
  }
}

/** Aborts the upload and frees the preview. */
function cancelJob(job: RefObject<Job | null>) {
  if (!job.current) return
  job.current.controller.abort()
  if (job.current.file) URL.revokeObjectURL(job.current.preview)
  job.current = null
}

class ImageTooLargeError extends Error {}

const uploadErrorText = (error: unknown): string =>
  error instanceof ImageTooLargeError ? m.refusal_image_too_large() : errorMessage(error)

/** Returns false when the file itself was rejected: it would be again. */
const canRetry = (error: unknown) =>
  !(error instanceof ImageTooLargeError) && !(error instanceof ApiError && [400, 413].includes(error.status))
