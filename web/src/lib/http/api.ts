import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ErrorBody, ErrorCode } from '#contract/errors.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { getAccessToken, renewToken } from '~/lib/session/session'
import { hasStoredSession } from '~/lib/session/stored-session'
import { parseRetryAfter } from '~/lib/time/retry-after'
import { m } from '~/paraglide/messages'
import { takeEarlyResponse } from './early-fetch.ts'

/** What a refused or failed call throws. `message` is ready to be shown: it comes from the server in the page's language. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: ErrorCode | 'network'
  /** Field name → text, for errors that belong to a field of the form. */
  readonly fields: Record<string, string>
  /** Seconds to wait (Retry-After), when the server said so. */
  readonly retryAfter: number | undefined
  /** The whole error body, for codes with fields of their own (`province_needed` has `provinces`). */
  readonly data: ErrorBody | undefined

  constructor(status: number, body: ErrorBody | undefined, retryAfter?: number) {
    super(body?.error ?? (status === 0 ? m.error_network() : m.error_unexpected()))
    this.status = status
    this.code = body?.code ?? (status === 0 ? 'network' : 'unexpected')
    this.fields = body?.fields ?? {}
    this.retryAfter = retryAfter
    this.data = body
  }
}

/** The text to show for whatever a call threw. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : m.error_unexpected()

type CallOptions = {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** A connection that hangs for half a minute counts as none. Instead of a signal. */
  withTimeout?: true
}

const REQUEST_TIMEOUT_MS = 30_000

/**
 * Calls one endpoint of the contract in the language of the page, and as the signed-in person unless it is open to all.
 * Throws `ApiError`, or the signal's reason; an answer 401 is tried once more with a refreshed token.
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
  // what is open to all works also when a session has ended
  const request = fetchWithRenewal(url, init, endpoint.audience === 'public' ? 'none' : 'stored')
  return mapNetworkErrors(
    request.then((response) => (response.status === 204 ? undefined : response.json())),
    options.signal,
  )
}

/** Whatever else goes wrong is a connection that failed, perhaps half-way or by hanging; unless the caller called it off. */
const mapNetworkErrors = <T>(request: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> =>
  request.catch((error: unknown) => {
    throw error instanceof ApiError || signal?.aborted ? error : new ApiError(0, undefined)
  })

/** How a request carries the session: not at all, as it is, or with a new token. */
type Credentials = 'none' | 'stored' | 'renewed'

const tokenGetters: Record<Credentials, () => Promise<string | null>> = {
  none: async () => null,
  stored: getAccessToken,
  renewed: renewToken,
}

/**
 * `fetch` with the session and the language; refusals throw `ApiError`. For what is not JSON, such as downloads.
 * An `authorization` of the caller's own is left as it is.
 */
export const authenticatedFetch = (url: string, init: RequestInit): Promise<Response> =>
  mapNetworkErrors(fetchWithRenewal(url, init, 'stored'), init.signal)

async function fetchWithRenewal(url: string, init: RequestInit, credentials: Credentials): Promise<Response> {
  let response = await fetchOnce(url, init, credentials)
  if (response.status === 401 && credentials === 'stored' && hasStoredSession()) {
    response = await fetchOnce(url, init, 'renewed')
  }
  if (!response.ok) throw await toApiError(response)
  return response
}

async function fetchOnce(url: string, init: RequestInit, credentials: Credentials): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('accept-language', getLocale())
  const token = headers.has('authorization') ? null : await tokenGetters[credentials]()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const early = token && init.method === 'GET' ? takeEarlyResponse(url, token) : undefined
  return early ?? fetch(url, { ...init, headers })
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'))
  return new ApiError(response.status, typeof body?.error === 'string' ? body : undefined, retryAfter)
}

type GetEndpoint<I extends z.ZodMiniType> = Endpoint<I, z.ZodMiniType, 'GET'>

/** The address of a reading. */
export const urlOf = <I extends z.ZodMiniType>(endpoint: GetEndpoint<I>, input: z.input<I>): string =>
  buildRequest(endpoint, (input ?? {}) as Record<string, unknown>).url

/** Names in the path are taken out of the input; the rest travels in the query (GET, DELETE) or the JSON body. */
function buildRequest({ method, path }: Endpoint, input: Record<string, unknown>) {
  const rest = { ...input }
  const url = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { url: url, body: JSON.stringify(rest) }
  const params = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(params.map(([name, value]) => [name, String(value)])).toString()
  return { url: query ? `${url}?${query}` : url, body: undefined }
}
