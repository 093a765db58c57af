import { IMAGE_STORED_SIDE } from '#contract/attachments.ts'
import { authenticatedFetch } from '~/lib/http/api'

const UPLOAD_TIMEOUT_MS = 120_000

type UploadOptions = {
  signal: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Uploads a file to a path of the API. Throws `ApiError`, or the reason of the signal when it was aborted. */
export async function uploadFile<T>(path: string, file: Blob, { signal, onProgress }: UploadOptions): Promise<T> {
  const body = new FormData()
  body.append('file', file, 'file') // not its own name: it can name a person or a place
  const send = (url: string, init: RequestInit) => sendWithProgress(url, init, onProgress)
  return (await authenticatedFetch(path, { method: 'POST', body, signal }, send)).json() as T
}

/** Does what `fetch` does by XMLHttpRequest, because `fetch` does not report how much it has sent. */
function sendWithProgress(
  url: string,
  { headers, body, signal }: RequestInit,
  onProgress: UploadOptions['onProgress'],
) {
  signal?.throwIfAborted()
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', url)
    request.timeout = UPLOAD_TIMEOUT_MS
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n')
      const received = lines.map((line): [string, string] => [line.split(':')[0]!, line.slice(line.indexOf(':') + 1)])
      resolve(new Response(request.responseText, { status: request.status, headers: received }))
    }
    request.onerror = request.ontimeout = () => reject(new Error('no connection'))
    request.onabort = () => reject(signal?.reason)
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort)
    request.send(body as FormData)
  })
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
