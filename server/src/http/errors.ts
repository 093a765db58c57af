import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contract/errors.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { isUnavailable, sqlState } from '../db/pool.ts'
import { StoreError } from '../files/file-store.ts'
import { requestLocale } from '../locale.ts'
import { describeError } from '../log/safe-error.ts'
import { Refusal, type RefusalDetails } from '../refusal.ts'
import { fieldTexts } from './field-texts.ts'

/** Returns the text of a refusal: that of its limit if it names one, otherwise that of its code. */
export const refusalMessage = (
  { code, details: { limit } }: Pick<Refusal, 'code' | 'details'>,
  locale: Locale,
): string => (limit === undefined ? m[`refusal_${code}`] : m[`limit_${limit}`])({}, { locale })

/** The headers of every error, besides those of every response. */
const ERROR_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }

/** Returns the error body of `docs/http-interface.md`. */
function errorBody(code: ErrorCode, details: RefusalDetails, locale: Locale): ErrorBody {
  const { retryAfterS: _, limit: __, fields, ...extra } = details
  const error = refusalMessage({ code, details }, locale)
  return { error, code, ...(fields && { fields: fieldTexts(fields, locale) }), ...extra }
}

/** Responds with an error. */
export function sendError(request: FastifyRequest, reply: FastifyReply, code: ErrorCode, details: RefusalDetails = {}) {
  setRetryAfter(reply, details.retryAfterS)
  return reply
    .code(ERROR_STATUS[code])
    .headers(ERROR_HEADERS)
    .send(errorBody(code, details, requestLocale(request)))
}

/** Sets after how many seconds a retry makes sense (RFC 9110 §10.2.3), if that is known. */
export function setRetryAfter(reply: FastifyReply, retryAfterS: number | undefined) {
  if (retryAfterS !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfterS)))
}

/** Maps Fastify's own errors to our codes. */
const FRAMEWORK_ERROR_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_json',
  FST_REQ_FILE_TOO_LARGE: 'image_too_large',
}

const FOREIGN_KEY_VIOLATION = '23503'
/** Errors of a disk that is full, or may only be read for now: another try works once somebody has made room. */
const FULL_DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS']

/**
 * Returns the refusal for a request whose account was deleted while it ran. What it then writes refers to a missing row, and
 * the database rejects it: that means the session has ended, and is no unexpected error.
 */
async function refusalIfSessionEnded(request: FastifyRequest, error: FastifyError | Refusal): Promise<Refusal | null> {
  if (sqlState(error) !== FOREIGN_KEY_VIOLATION || !request.actor) return null
  try {
    await request.server.authenticate(request, { admitSuspended: true })
    return null
  } catch (refusal) {
    return refusal instanceof Refusal ? refusal : null
  }
}

/** Returns the refusal for whatever was thrown; an unexpected error is logged, and reported without details. */
export function toRefusal(request: FastifyRequest, error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  const known = FRAMEWORK_ERROR_CODES[error.code]
  if (known) return new Refusal(known)
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal('invalid_input')
  request.log.error({ error: describeError(error) }, 'request failed')
  return isUnavailable(error) || error instanceof StoreError || FULL_DISK_CODES.includes(error.code)
    ? new Refusal('busy', { retryAfterS: 2 })
    : new Refusal('unexpected')
}

/** Registers the error handler of the whole API. */
export function registerErrorHandler(app: FastifyInstance) {
  app.setErrorHandler(async (thrown: FastifyError | Refusal, request, reply) => {
    const { code, details } = toRefusal(request, (await refusalIfSessionEnded(request, thrown)) ?? thrown)
    return sendError(request, reply, code, details)
  })
}
