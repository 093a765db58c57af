import { ATTACHMENTS_PATH, type Attachment } from '#contract/attachments.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { ApiError } from '~/lib/api'
import { getLocale } from '~/lib/i18n'
import { secondsIn } from '~/lib/retry-after'
import { accessToken, renewedToken } from '~/lib/session'

const WITHIN_MS = 120_000

type Options = {
  signal: AbortSignal
  /** Told how much is sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Uploads an image for a message. Throws `ApiError`, or the signal's reason when it was called off. */
export async function uploadImage(image: Blob, options: Options): Promise<Attachment> {
  try {
    return await attempt(image, await accessToken().catch(unreachable), options)
  } catch (error) {
    const token = error instanceof ApiError && error.status === 401 ? await renewedToken().catch(unreachable) : null
    if (!token) throw error
    return attempt(image, token, options)
  }
}

/** The session could not be renewed: that is no sign-out. */
function unreachable(): never {
  throw new ApiError(0, undefined)
}

/** XMLHttpRequest, because `fetch` does not tell how much it has sent. */
function attempt(image: Blob, token: string | null, { signal, onProgress }: Options): Promise<Attachment> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const callOff = () => request.abort()
    request.open('POST', ATTACHMENTS_PATH)
    request.responseType = 'json'
    request.timeout = WITHIN_MS
    request.setRequestHeader('accept-language', getLocale())
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      if (request.status === 201) resolve(request.response as Attachment)
      else reject(refusal(request))
    }
    request.onerror = request.ontimeout = () => reject(new ApiError(0, undefined))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', callOff)
    signal.addEventListener('abort', callOff)
    const form = new FormData()
    form.append('file', image, 'image') // not the file's own name: it can name a person or a place
    request.send(form)
  })
}

function refusal(request: XMLHttpRequest): ApiError {
  const body = request.response as Partial<ErrorBody> | null
  const retryAfter = secondsIn(request.getResponseHeader('retry-after'))
  return new ApiError(request.status, typeof body?.error === 'string' ? (body as ErrorBody) : undefined, retryAfter)
}
