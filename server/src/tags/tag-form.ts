import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { comingBy } from '#contract/answers.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { GuestLanguage } from '#contract/guest-languages.ts'
import { plateEndError } from '#contract/guest-texts.ts'
import { noAnswerFrom } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { PROOF_HEADER, PROOF_HEADER_USE } from '#contract/proof-of-work.ts'
import { DEVICE_HEADER, DeviceId, GuestMessage, TagReference } from '#contract/tags.ts'
import type { AppContext } from '../context.ts'
import { failureSlots, sendFormPage, sendRefusedForm, typedSlots } from '../http/form-page.ts'
import { formFields, formRoutes, readFields } from '../http/form-post.ts'
import { parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import type { Slots } from '../http/template.ts'
import { requireProof } from '../proof-of-work/proof-of-work.ts'
import { loadVapidKeys } from '../push/vapid.ts'
import { refuse } from '../refusal.ts'
import { GUEST_TEXTS, guestLanguage, pageInLanguage } from './guest-pages.ts'
import { identifyGuest, leaveMessage } from './leave-message.ts'
import { nudgeByReceipt, readReceipt } from './receipts.ts'

const FORM_MAX_BYTES = 16 * 1024
const FORM_HEADERS = { [DEVICE_HEADER]: 'a random value that the browser keeps', [PROOF_HEADER]: PROOF_HEADER_USE }
const FIELDS = ['digits', 'plate_end', 'reason', 'language', 'receipt', 'again'] as const

/**
 * Registers the forms of tags and receipts: `POST /t`, `/t/<token>` and `/r`, also below `/fr`. Each responds with a page in the
 * language that was chosen, one of ten.
 *
 * @param pages the built pages, if the web app is served too
 */
export function tagFormRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  formRoutes(app, FORM_MAX_BYTES, pages, (route, findPage, locale) => {
    const languageOf = (request: FastifyRequest) => guestLanguage(request, formFields(request).get('language'), locale)
    const inLanguage = (page: StaticPage | undefined, language: GuestLanguage) => page && pageInLanguage(page, language)
    const receiptPage = findPage(paths.receipt())
    const sendReceipt = (reply: FastifyReply, language: GuestLanguage, receipt: Receipt, secret: string) => {
      const PUSH_KEY = loadVapidKeys(context.config)?.publicKey ?? ''
      const slots = { ...receiptSlots(receipt, language), RECEIPT: secret, PUSH_KEY }
      return sendFormPage(reply, 200, inLanguage(receiptPage, language), slots)
    }

    for (const path of [paths.tag(), `${paths.tag()}/:token`]) {
      const page = findPage(path === paths.tag() ? path : paths.tag('one'))
      route({
        path,
        summary: 'Leaves a message at a vehicle.',
        fields: { ...GuestMessage.shape, [path === paths.tag() ? 'digits' : 'token']: TagReference },
        headers: FORM_HEADERS,
        async handle(request, reply) {
          const language = languageOf(request)
          const { reference, message } = parseForm(request, language)
          await requireProof(context, request)
          const guest = identifyGuest(context.keyring, request.ip, deviceIdOf(request))
          const { receipt } = await leaveMessage(context, guest, reference, message)
          const left = { reason: message.reason, left_at: new Date().toISOString(), nudged: false }
          const nothing = { state: 'left', answer: null, reply: null, replied_at: null } as const
          return sendReceipt(reply, language, { ...left, ...nothing }, receipt)
        },
        sendRefusal(refusal, request, reply) {
          const language = languageOf(request)
          const { plate_end, digits, reason } = readFields(request, FIELDS)
          const missing = refusal.code === 'invalid_input' ? missingTexts(request, language) : {}
          const text = Object.values(missing)[0] ?? refusalText(refusal.code, language)
          const slots = { ...typedSlots({ plate_end, digits }), ...failureSlots(refusal, text, missing) }
          const chosen = [reason, ...formFields(request).getAll('chips')]
          // how long a tag takes nothing is nobody's business
          sendRefusedForm(reply, refusal, inLanguage(page, language), { ...slots, WAIT_MINUTES: '' }, chosen)
        },
      })
    }
    route({
      path: paths.receipt(),
      summary: 'What became of a message; `again` first asks once more, if it may be now.',
      fields: { receipt: z.string(), again: z.optional(z.string()) },
      async handle(request, reply) {
        const { receipt, again } = readFields(request, FIELDS)
        if (again !== '') await nudgeByReceipt(context, receipt)
        return sendReceipt(reply, languageOf(request), await readReceipt(context, receipt), receipt)
      },
      sendRefusal(refusal, request, reply) {
        const language = languageOf(request)
        const text = refusalText(refusal.code, language)
        const slots = refusal.code === 'not_found' ? { STATE: 'gone', GONE: 'yes' } : failureSlots(refusal, text, {})
        sendRefusedForm(reply, refusal, inLanguage(receiptPage, language), slots)
      },
    })
  })
}

/** Returns the value by which a guest's browser is known; null without one that can be. */
const deviceIdOf = ({ headers }: FastifyRequest): string | null =>
  z.safeParse(DeviceId, headers[DEVICE_HEADER]).data ?? null

/** Parses what a guest sends. */
function parseForm(request: FastifyRequest, language: GuestLanguage): { reference: string; message: GuestMessage } {
  if (Object.keys(missingTexts(request, language)).length > 0) refuse('invalid_input')
  const { digits, plate_end, reason } = readFields(request, FIELDS)
  const { token } = request.params as { token?: string }
  return {
    reference: parseInput(TagReference, token ?? digits),
    message: parseInput(GuestMessage, { plate_end, reason, chips: formFields(request).getAll('chips'), language }),
  }
}

/** Says of each field that is missing or cannot be right what is wrong with it, in the guest's language. */
function missingTexts(request: FastifyRequest, language: GuestLanguage): Record<string, string> {
  const texts = GUEST_TEXTS[language]
  const { digits, plate_end, reason } = readFields(request, FIELDS)
  const { token } = request.params as { token?: string }
  const isRight = (field: z.ZodMiniType, typed: string) => z.safeParse(field, typed).success
  return {
    ...(token === undefined && !/^[\d\s-]{8,}$/.test(digits) && { digits: texts.tag.digits_missing }),
    ...(!isRight(GuestMessage.shape.plate_end, plate_end) && { plate_end: plateEndError(texts, plate_end) }),
    ...(!isRight(GuestMessage.shape.reason, reason) && { reason: texts.tag.reason_missing }),
  }
}

type Receipt = Awaited<ReturnType<typeof readReceipt>>

/**
 * Returns the slots of a receipt, in the guest's language. What changes with time alone changes here: the page asks again then, by
 * how long it takes and not by a clock that may be wrong.
 */
function receiptSlots(receipt: Receipt, language: GuestLanguage): Slots {
  const { state, reason, left_at, nudged, answer, reply, replied_at } = receipt
  const { reasons, answers } = GUEST_TEXTS[language]
  const isLeft = state === 'left'
  const arrivesAt = comingBy(receipt)
  const nextAt = isLeft ? noAnswerFrom(left_at, reason) : arrivesAt
  const remainingMs = nextAt === null ? 0 : nextAt - Date.now()
  const isAhead = remainingMs > 0
  const said = answer === null ? '' : answers[answer]
  const yesIf = (condition: boolean) => (condition ? 'yes' : '')
  const timeIf = (condition: boolean) => (condition ? new Date(nextAt!).toISOString() : '')
  const isLate = nextAt !== null && !isAhead
  return {
    STATE: state,
    NEXT_IN_MS: isAhead ? String(remainingMs) : '',
    LEFT: yesIf(isLeft),
    ANSWERED: yesIf(!isLeft),
    URGENT: yesIf(isLeft && reason === 'someone_inside'),
    REASON: reasons[reason],
    // for the paper, in the languages of those who read it
    REASON_EN: GUEST_TEXTS.en.reasons[reason],
    REASON_FR: GUEST_TEXTS.fr.reasons[reason],
    LEFT_AT: left_at,
    LATE_AT: timeIf(isLeft && isAhead),
    LATE: yesIf(isLate),
    CAN_ASK: yesIf(isLeft && isLate && !nudged),
    ASKED: yesIf(isLeft && nudged),
    ANSWER: arrivesAt === null ? said : '',
    TIMED_ANSWER: arrivesAt === null ? '' : said,
    COMING_BY: timeIf(!isLeft && isAhead),
    CAME_BY: timeIf(!isLeft && isLate),
    REPLY: reply ?? '',
    REPLIED_AT: replied_at ?? '',
  }
}

function refusalText(code: ErrorCode, language: GuestLanguage): string {
  const { common, tag } = GUEST_TEXTS[language]
  if (code === 'tag_refused') return tag.refused
  if (code === 'proof_needed') return common.scripts_needed
  return code === 'too_many_requests' ? common.too_many : common.failed
}
