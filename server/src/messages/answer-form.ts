import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { timelyAnswers } from '#contract/answers.ts'
import { ANSWERS, Answer, COMING_ANSWERS, replyToMessage as replyEndpoint } from '#contract/messages.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import type { Locale } from '#contract/product.ts'
import { m } from '#texts/messages.js'
import { findDeviceActor } from '../auth/authenticate.ts'
import type { AppContext } from '../context.ts'
import { isUuid } from '../db/ids.ts'
import { describeRefusal, sendFormPage, sendRefusedForm, typedSlots } from '../http/form-page.ts'
import { formRoutes, readFields } from '../http/form-post.ts'
import { definitionOf, parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import type { Slots } from '../http/template.ts'
import { consumeCounts, limitCount, networkCounts } from '../limits/enforce-limit.ts'
import { networkLimitKey, userLimitKey } from '../limits/rate-limiter.ts'
import { Refusal, refuse } from '../refusal.ts'
import { findLinkedMessage, hashAnswerToken, type LinkedMessage } from './answer-links.ts'
import { toMailData } from './emails.ts'
import { toReceivedMessage } from './list-messages.ts'
import { replyToMessage } from './reply-to-message.ts'

/** A reply of 2,000 characters of four bytes each, three characters a byte. */
const FORM_MAX_BYTES = 32 * 1024

const FIELDS = ['token', 'session', 'answer', 'reply', 'action'] as const
type Values = Record<(typeof FIELDS)[number], string>

const text = z.optional(z.string())
const FORM = {
  token: z.string(),
  session: text,
  answer: z.optional(Answer),
  reply: text,
  action: z.optional(z.literal('send')),
}

/**
 * Registers the forms of `/answer`: `POST /answer` and `POST /fr/answer` show the message of a link in an email, and answer it (decision
 * answer-links). Showing changes nothing and tells nobody: programs that open every link in an email do so too. A link that is wrong,
 * used or over is answered like any other of them.
 *
 * @param pages the built pages, if the web app is served too
 */
export function answerFormRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  formRoutes(app, FORM_MAX_BYTES, pages, (route, findPage, locale) => {
    const page = findPage(paths.answerLink())
    route({
      path: paths.answerLink(),
      summary: 'Shows the message of a link in an email, or answers it.',
      fields: FORM,
      async handle(request, reply) {
        const values = readFields(request, FIELDS)
        const message = await openLink(context, request, values.token)
        const show = async (status = 200, failure: Slots = {}) => {
          const slots = { ...(await messageSlots(context, message, values, locale)), ...failure }
          return sendFormPage(reply, status, page, { ...typedSlots(values), ...slots }, [values.answer])
        }
        if (values.action !== 'send') return show()
        try {
          return sendFormPage(reply, 200, page, await answer(context, message, values, locale))
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== 'invalid_input') throw error
          return show(400, describeRefusal(error, locale)) // with what was typed
        }
      },
      sendRefusal(refusal, request, reply) {
        if (ENDED.has(refusal.code)) return void sendRefusedForm(reply, new Refusal('not_found'), page, { GONE: 'yes' })
        const typed = typedSlots(readFields(request, FIELDS))
        sendRefusedForm(reply, refusal, page, { ...typed, BLANK: 'yes', ...describeRefusal(refusal, locale) })
      },
    })
  })
}

/** What refuses an answer to a message that has one, or is gone since it was looked for. */
const ENDED = new Set(['not_found', 'already_replied', 'reply_removed'])

/** Finds the message of a link. Refuses with `not_found` and `too_many_requests`, which says something about the caller and the link alone. */
async function openLink({ config, db, keyring, log }: AppContext, { ip }: FastifyRequest, token: string) {
  const { allowed, retryAfterS } = await consumeCounts(db, log, [
    ...networkCounts(config, 'answerLinkCallsPerNetwork', ip, (one) => networkLimitKey(keyring, 'answer-links', one)),
    limitCount(config, 'answerLinkCalls', userLimitKey(keyring, 'answer-link', token)),
  ])
  if (!allowed) refuse('too_many_requests', { retryAfterS })
  return (await findLinkedMessage(db, hashAnswerToken(keyring, token))) ?? refuse('not_found')
}

/** Answers as the app does, and returns the slots of the page that says so. */
async function answer(context: AppContext, message: LinkedMessage, values: Values, locale: Locale): Promise<Slots> {
  const { reader_id, person_hash } = message
  const { id, reply, ...input } = parseInput(definitionOf(replyEndpoint).input, {
    id: message.id,
    reply: values.reply,
    ...(values.answer && { answer: values.answer }),
  })
  await replyToMessage(context, { id: reader_id, personHash: person_hash }, id, { reply, answer: input.answer ?? null })
  return { SENT: 'yes', ANSWER: input.answer ? m[`answer_${input.answer}`]({}, { locale }) : '', REPLY: reply }
}

/**
 * Returns the slots of a message: what its email says of it, and the photo if the email may have the text. Only somebody who is signed in
 * as the person of the link learns where it is in the app.
 */
async function messageSlots(
  context: AppContext,
  message: LinkedMessage,
  values: Values,
  locale: Locale,
): Promise<Slots> {
  const { keyring, log } = context
  const tapped = ANSWERS.find((one) => one === values.answer)
  const actor = isUuid(values.session)
    ? await findDeviceActor(context, { userId: message.reader_id, sessionId: values.session })
    : null
  const appPath = tapped ? paths.answerMessage(message.id, tapped) : paths.messages('received', message.id)
  const { plate, name, text, additions } = toMailData(
    context,
    { locale, preferences: { email_message_text: message.shows_text } },
    message,
  )
  const { image_url } = toReceivedMessage({ keyring, log, locale }, message)
  const image = (message.shows_text && image_url) || ''
  const photo = m.mail_message_photo({}, { locale })
  const notes = additions.filter((note) => note !== photo || image === '').join('\n')
  const isTimely = [...timelyAnswers(message, Date.now()), tapped].some((one) => one && COMING_ANSWERS.includes(one))
  return {
    OPEN: 'yes',
    APP_PAGE: actor ? localizedPath(appPath, locale) : '',
    PLATE: plate,
    REASON: name ?? m.mail_message_heading({}, { locale }),
    URGENT: message.reason === 'someone_inside' ? 'yes' : '',
    CONTENT: text ?? image + notes,
    TEXT: text ?? '',
    IMAGE: image,
    NOTES: notes,
    TIMELY: isTimely ? 'yes' : '',
    // whoever tapped an answer wants to send that
    WRITE: tapped && values.action !== 'send' ? '' : 'yes',
  }
}
