import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ErrorBody, ErrorCode } from '#contract/errors.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { getAccessToken, renewToken, takeFirst } from '~/lib/session/session'
import { isSignedIn } from '~/lib/session/tab-session'
import { readServerClock } from '~/lib/time/now'
import { parseRetryAfter } from '~/lib/time/timeout'
import { m } from '~/paraglide/messages'

/** Reports a rejected or failed call. Its `message` can be shown: the server sends it in the page's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  readonly code: ErrorCode | 'network'
  /** Texts by field name, for errors that belong to a field of the form. */
  readonly fields: Record<string, string>
  /** Seconds to wait (Retry-After), if the server sent them. */
  readonly retryAfterS: number | undefined
  /** The whole error body, for codes with additional fields (`province_needed` has `provinces`). */
  readonly data: ErrorBody | undefined

  constructor(status: number, body: ErrorBody | undefined, retryAfterS?: number) {
    super(body?.error ?? (status === 0 ? m.error_network() : m.error_unexpected()))
    this.status = status
    this.code = body?.code ?? (status === 0 ? 'network' : 'unexpected')
    this.fields = body?.fields ?? {}
    this.retryAfterS = retryAfterS
    this.data = body
  }
}

/** Returns the text to show for whatever a call threw; a text stays as it is. */
export const errorMessage = (error: unknown): string =>
  typeof error === 'string' ? error : error instanceof ApiError ? error.message : m.error_unexpected()

/** Returns the code of whatever a call threw, of the API or of the auth protocol; undefined for a bug. */
export const codeOf = (error: unknown): string | undefined => (error instanceof ApiError ? error.code : undefined)

export type CallOptions = {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Fails when there is no response within half a minute. Replaces `signal`. */
  withTimeout?: true
  /** Sends the session, if there is one, to a public endpoint too. */
  asUser?: true
}

const REQUEST_TIMEOUT_MS = 30_000

/**
 * Calls an endpoint of the contract in the language of the page, and as the signed-in user unless it is public. When the
 * token is refused it tries once more with a renewed one. Throws `ApiError`, or the reason of an aborted signal.
 */
export async function call<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
  options: CallOptions = {},
): Promise<z.output<O>> {
  const { url, body } = buildRequest(endpoint, (input ?? {}) as Record<string, unknown>)
  const init = {
    method: endpoint.method,
    signal: options.withTimeout ? AbortSignal.timeout(REQUEST_TIMEOUT_MS) : (options.signal ?? null),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...options.headers },
    ...(body !== undefined && { body }),
  }
  // public endpoints must work even when the session has ended
  const request = fetchWithRenewal(url, init, endpoint.audience === 'public' && !options.asUser ? 'none' : 'session')
  return mapNetworkErrors(
    request.then((response) => (response.status === 204 ? undefined : response.json())),
    options.signal,
  )
}

/** Turns every other error into a failed connection, which may break off or time out; not one that the caller aborted. */
const mapNetworkErrors = <T>(request: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> =>
  request.catch((error: unknown) => {
    throw error instanceof ApiError || signal?.aborted ? error : new ApiError(0, undefined)
  })

/** How a request is authenticated: not at all, with the session, or with a renewed token. */
type Credentials = 'none' | 'session' | 'renewed'

const tokenGetters: Record<Credentials, () => Promise<string | null>> = {
  none: async () => null,
  session: getAccessToken,
  renewed: renewToken,
}

/**
 * Fetches with the session and the language, for what is not JSON, such as downloads. Throws `ApiError` for an error
 * response. Leaves an `authorization` header of the caller as it is.
 */
export const authenticatedFetch = (url: string, init: RequestInit, send?: Send): Promise<Response> =>
  mapNetworkErrors(fetchWithRenewal(url, init, 'session', send), init.signal)

/** Does what `fetch` does, or the same in another way. */
type Send = (url: string, init: RequestInit) => Promise<Response>

async function fetchWithRenewal(
  url: string,
  init: RequestInit,
  credentials: Credentials,
  send: Send = fetch,
): Promise<Response> {
  const response = await fetchOnce(url, init, credentials, send)
  if (response.ok) return response
  const error = await toApiError(response)
  // a token of before the second step may be one of a moment ago
  const isTokenRefused = error.status === 401 || error.code === 'second_factor_required'
  if (credentials !== 'session' || !isTokenRefused || !isSignedIn()) throw error
  return fetchWithRenewal(url, init, 'renewed', send)
}

async function fetchOnce(url: string, init: RequestInit, credentials: Credentials, send: Send) {
  const headers = new Headers(init.headers)
  headers.set('accept-language', getLocale())
  const token = headers.has('authorization') ? null : await tokenGetters[credentials]()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const early = token && init.method === 'GET' ? takeFirst(url, token) : undefined
  if (early) return early
  const sentAt = Date.now()
  const response = await send(url, { ...init, headers })
  readServerClock(response, sentAt)
  return response
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  const retryAfterS = parseRetryAfter(response.headers.get('retry-after'))
  return new ApiError(response.status, typeof body?.error === 'string' ? body : undefined, retryAfterS)
}

/** Returns the URL of a call. */
export const urlOf = <I extends z.ZodMiniType>(endpoint: Endpoint<I>, input: z.input<I>): string =>
  buildRequest(endpoint, (input ?? {}) as Record<string, unknown>).url

/** Puts the input's fields into the path where it names them, and the others into the query (GET, DELETE) or the JSON body. */
function buildRequest({ method, path }: Endpoint, input: Record<string, unknown>) {
  const rest = { ...input }
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { url, body: JSON.stringify(rest) }
  const params = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(params.map(([name, value]) => [name, String(value)])).toString()
  return { url: query ? `${url}?${query}` : url, body: undefined }
}
