import type { FastifyReply } from 'fastify'
import { ERROR_STATUS } from '#contract/errors.ts'
import type { Locale } from '#contract/product.ts'
import { MINUTE_S } from '#contract/time.ts'
import { escapeHtml } from '../html.ts'
import type { Refusal } from '../refusal.ts'
import { refusalMessage, setRetryAfter } from './errors.ts'
import { fieldTexts } from './field-texts.ts'
import type { StaticPage } from './static-pages.ts'
import { fillSlots, type Slots } from './template.ts'

/** From this time on a page says how long it takes until a limit lets another try through. */
const SHOW_WAIT_FROM_S = 2 * MINUTE_S

/** Returns the slots of the fields of a form: what was typed. */
export const typedSlots = (values: Record<string, string>): Slots =>
  Object.fromEntries(Object.entries(values).map(([name, typed]) => [name.toUpperCase(), typed]))

/**
 * Returns the slots that say why a form was not accepted.
 *
 * @param fields what is wrong with single fields, by their names
 */
export const failureSlots = ({ code, details }: Refusal, message: string, fields: Record<string, string>): Slots => ({
  REFUSED: code,
  ERROR: message,
  WAIT_MINUTES: (details.retryAfterS ?? 0) < SHOW_WAIT_FROM_S ? '' : String(Math.ceil(details.retryAfterS! / MINUTE_S)),
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => [
      [`${name.toUpperCase()}_ERROR`, text],
      [`${name.toUpperCase()}_INVALID`, 'true'],
    ]),
  ),
})

/** Returns the same in a language of the product. */
export const describeRefusal = (refusal: Refusal, locale: Locale): Slots =>
  failureSlots(refusal, refusalMessage(refusal, locale), fieldTexts(refusal.details.fields ?? {}, locale))

/** Marks the options, and the choices of radio buttons and checkboxes, that have these values. */
export function markChosen(template: string, values: string[]): string {
  return template.replace(/<(option|input)\b[^>]* value="([\w-]+)"/g, (tag, element: string, value: string) =>
    values.includes(value) ? `${tag} ${element === 'option' ? 'selected' : 'checked'}=""` : tag,
  )
}

/**
 * Sends a page with its slots filled in, never cached. Without a web app, whose pages these are, the slots themselves are the response.
 *
 * @param chosen the values that are chosen from lists
 */
export function sendFormPage(
  reply: FastifyReply,
  status: number,
  page: StaticPage | undefined,
  slots: Slots,
  chosen: string[] = [],
) {
  reply.code(status).header('cache-control', 'no-store')
  if (!page) return reply.send(slots)
  // screen readers announce the title first, so it says what is wrong; chosen before anything typed is filled in
  const title = slots['ERROR'] ? `<title>${escapeHtml(slots['ERROR'])} ` : '<title>'
  const html = fillSlots(markChosen(page.template, chosen), slots).replace('<title>', () => title)
  return reply.header('content-security-policy', page.policy).type(page.type).send(html)
}

/** Sends the page of a form that was not accepted. */
export function sendRefusedForm(
  reply: FastifyReply,
  refusal: Refusal,
  page: StaticPage | undefined,
  slots: Slots,
  chosen: string[] = [],
) {
  setRetryAfter(reply, refusal.details.retryAfterS)
  return sendFormPage(reply, ERROR_STATUS[refusal.code], page, slots, chosen)
}
