import { ATTACHMENTS_PATH, type Attachment } from '#contract/attachments.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { ApiError } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { getAccessToken, renewToken } from '~/lib/session/session'
import { parseRetryAfter } from '~/lib/time/retry-after'

const UPLOAD_TIMEOUT_MS = 120_000

type Options = {
  signal: AbortSignal
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Uploads an image for a message. Throws `ApiError`, or the reason of the signal when it was aborted. */
export async function uploadImage(image: Blob, options: Options): Promise<Attachment> {
  try {
    return await sendUpload(image, await getAccessToken().catch(throwNetworkError), options)
  } catch (error) {
    const token = error instanceof ApiError && error.status === 401 ? await renewToken().catch(throwNetworkError) : null
    if (!token) throw error
    return sendUpload(image, token, options)
  }
}

/** Reports a session that could not be renewed as a network error, which does not sign out. */
function throwNetworkError(): never {
  throw new ApiError(0, undefined)
}

/** Sends an image by XMLHttpRequest, because `fetch` does not report how much it has sent. */
function sendUpload(image: Blob, token: string | null, { signal, onProgress }: Options): Promise<Attachment> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open('POST', ATTACHMENTS_PATH)
    request.responseType = 'json'
    request.timeout = UPLOAD_TIMEOUT_MS
    request.setRequestHeader('accept-language', getLocale())
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(loaded / total)
    }
    request.onload = () => {
      if (request.status === 201) resolve(request.response as Attachment)
      else reject(toApiError(request))
    }
    request.onerror = request.ontimeout = () => reject(new ApiError(0, undefined))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    const form = new FormData()
    form.append('file', image, 'image') // not the file's own name: it can name a person or a place
    request.send(form)
  })
}

function toApiError(request: XMLHttpRequest): ApiError {
  const body = request.response as Partial<ErrorBody> | null
  const retryAfter = parseRetryAfter(request.getResponseHeader('retry-after'))
  return new ApiError(request.status, typeof body?.error === 'string' ? (body as ErrorBody) : undefined, retryAfter)
}
