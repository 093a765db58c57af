import { IMAGE_STORED_SIDE } from '#contract/attachments.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { getAccessToken, renewToken } from '~/lib/session/session'
import { parseRetryAfter } from '~/lib/time/timeout'

const UPLOAD_TIMEOUT_MS = 120_000

type UploadOptions = {
  signal: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Uploads a file to a path of the API. Throws `ApiError`, or the reason of the signal when it was aborted. */
export async function uploadFile<T>(path: string, file: Blob, options: UploadOptions): Promise<T> {
  try {
    return await sendUpload(path, file, await getAccessToken().catch(throwNetworkError), options)
  } catch (error) {
    const token = error instanceof ApiError && error.status === 401 ? await renewToken().catch(throwNetworkError) : null
    if (!token) throw error
    return sendUpload(path, file, token, options)
  }
}

/** Reports a session that could not be renewed as a network error, which does not sign out. */
function throwNetworkError(): never {
  throw new ApiError(0, undefined)
}

/** Sends a file by XMLHttpRequest, because `fetch` does not report how much it has sent. */
function sendUpload<T>(
  path: string,
  file: Blob,
  token: string | null,
  { signal, onProgress }: UploadOptions,
): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', path)
    request.responseType = 'json'
    request.timeout = UPLOAD_TIMEOUT_MS
    request.setRequestHeader('accept-language', getLocale())
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      if (request.status === 201) resolve(request.response as T)
      else reject(toApiError(request))
    }
    request.onerror = request.ontimeout = () => reject(new ApiError(0, undefined))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    const form = new FormData()
    form.append('file', file, 'file') // not its own name: it can name a person or a place
    request.send(form)
  })
}

function toApiError(request: XMLHttpRequest): ApiError {
  const body = request.response as Partial<ErrorBody> | null
  const retryAfterS = parseRetryAfter(request.getResponseHeader('retry-after'))
  return new ApiError(request.status, typeof body?.error === 'string' ? (body as ErrorBody) : undefined, retryAfterS)
}

const QUALITY = 0.85

/**
 * Returns an image as it is worth uploading: at most 2048 px on its longer side, as WebP or JPEG, upright, without the
 * metadata of the camera (location, device). Returns the file unchanged when the browser cannot decode or draw it
 * faithfully; the server encodes every image again anyway (decision photos-and-files).
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return file
  try {
    const scale = Math.min(1, IMAGE_STORED_SIDE / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')
    if (!context || !isCanvasFaithful()) return file
    context.fillStyle = '#fff' // JPEG has no transparency: it would turn black
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const encoded = (await encodeCanvas(canvas, 'image/webp')) ?? (await encodeCanvas(canvas, 'image/jpeg'))
    return encoded && (scale < 1 || encoded.size < file.size) ? encoded : file
  } finally {
    bitmap.close()
  }
}

/** Encodes the canvas; null where the browser cannot write the format (Safari and WebP). */
const encodeCanvas = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY)
  })

/** Returns false in browsers that add noise against fingerprinting (Tor, Firefox on request): it would ruin a photo. */
function isCanvasFaithful(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return false
  context.fillStyle = '#ffb31a'
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return red === 0xff && green === 0xb3 && blue === 0x1a
}
