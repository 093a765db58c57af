import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts'
import { GUEST_LANGUAGES, type GuestLanguage } from '#contract/guest-languages.ts'
import { plateEndError } from '#contract/guest-texts.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES, type Locale } from '#contract/product.ts'
import { GuestMessage, TagReference } from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { setRetryAfter, toRefusal } from '../http/errors.ts'
import { acceptForms, formEndpoint, formFields } from '../http/form-post.ts'
import { sendMinimalPage } from '../http/minimal-page.ts'
import { requireProof } from '../proof-of-work/proof-of-work.ts'
import { GUEST_TEXTS, type GuestForm, renderGoneReceipt, renderReceipt, renderTagForm } from './guest-pages.ts'
import { identifyGuest, leaveMessage } from './leave-message.ts'
import { readReceipt } from './receipts.ts'

const FORM_MAX_BYTES = 16 * 1024

const languageOf = (fields: URLSearchParams, locale: Locale): GuestLanguage =>
  GUEST_LANGUAGES.find((language) => language === fields.get('language')) ?? (locale === 'en' ? 'en' : 'fr')

/** Reads the form: only what is in one of the lists is kept of lists, so that nothing else is shown again. */
function readForm(request: FastifyRequest, locale: Locale): GuestForm {
  const fields = formFields(request)
  const text = (name: string) => (fields.get(name) ?? '').slice(0, 100)
  return {
    token: (request.params as { token?: string }).token ?? null,
    digits: text('digits'),
    plateEnd: text('plate_end'),
    reason: text('reason'),
    chips: fields.getAll('chips').slice(0, 10),
    language: languageOf(fields, locale),
  }
}

/**
 * Registers the forms of tags and receipts as browsers post them without scripts: `POST /t`, `/t/<token>` and `/r`, also
 * below `/fr`. Each gets a page in the language that was chosen, one of ten.
 */
export function noScriptForms(app: FastifyInstance, context: AppContext) {
  void app.register(async (scope) => {
    acceptForms(scope, FORM_MAX_BYTES)
    for (const locale of LOCALES) {
      const page = { publicUrl: context.config.PUBLIC_URL, locale }
      for (const path of [paths.tag(), `${paths.tag()}/:token`]) {
        const url = localizedPath(path, locale)
        const fields = { ...GuestMessage.shape, [path === paths.tag() ? 'digits' : 'token']: TagReference }
        scope.route({
          method: 'POST',
          url,
          config: { endpoint: formEndpoint(url, 'Leaves a message at a vehicle, without scripts.', fields) },
          handler: async (request, reply) => {
            const form = readForm(request, locale)
            const message = parseForm(form)
            const reference = z.safeParse(TagReference, form.token ?? form.digits)
            if (!message || !reference.success)
              return sendMinimalPage(reply, 400, renderTagForm(page, form, missingText(form)))
            await requireProof(context, request)
            const guest = identifyGuest(context.keyring, request.ip, null)
            const { receipt } = await leaveMessage(context, guest, reference.data, message)
            const left = { state: 'left', answer: null, reply: null } as const
            return sendMinimalPage(reply, 200, renderReceipt(page, receipt, left, form.language))
          },
          errorHandler: (error, request, reply) => {
            const refusal = toRefusal(request, error)
            const form = readForm(request, locale)
            setRetryAfter(reply, refusal.details.retryAfterS)
            const text = refusalText(refusal.code, form.language)
            void sendMinimalPage(reply, ERROR_STATUS[refusal.code], renderTagForm(page, form, text))
          },
        })
      }
      const url = localizedPath(paths.receipt(), locale)
      scope.route({
        method: 'POST',
        url,
        config: { endpoint: formEndpoint(url, 'What became of a message, without scripts.', { receipt: z.string() }) },
        handler: async (request, reply) => {
          const receipt = formFields(request).get('receipt') ?? ''
          const row = await readReceipt(context, receipt)
          return sendMinimalPage(reply, 200, renderReceipt(page, receipt, row, row.language))
        },
        errorHandler: (error, request, reply: FastifyReply) => {
          const refusal = toRefusal(request, error)
          setRetryAfter(reply, refusal.details.retryAfterS)
          const html = renderGoneReceipt(page, languageOf(formFields(request), locale))
          void sendMinimalPage(reply, ERROR_STATUS[refusal.code], html)
        },
      })
    }
  })
}

const parseForm = ({ plateEnd, reason, chips, language }: GuestForm): GuestMessage | null =>
  z.safeParse(GuestMessage, { plate_end: plateEnd, reason, chips, language }).data ?? null

/** Names the first field that is missing or cannot be right. */
function missingText({ token, digits, plateEnd, language }: GuestForm): string {
  const texts = GUEST_TEXTS[language]
  const { tag } = texts
  if (token === null && !/^[\d\s]{8,}$/.test(digits)) return tag.digits_missing
  return z.safeParse(GuestMessage.shape.plate_end, plateEnd).success
    ? tag.reason_missing
    : plateEndError(texts, plateEnd)
}

function refusalText(code: ErrorCode, language: GuestLanguage): string {
  const { common, tag } = GUEST_TEXTS[language]
  if (code === 'tag_refused') return tag.refused
  if (code === 'proof_needed') return common.scripts_needed
  return code === 'too_many_requests' ? common.too_many : common.failed
}
