import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { ERROR_STATUS } from '#contract/errors.ts'
import { formatNoteCode, noteCodeDigits } from '#contract/note-code.ts'
import { NoteKey, NoteReply } from '#contract/notes.ts'
import { paths } from '#contract/paths.ts'
import { displayPlate } from '#contract/plates.ts'
import type { Locale } from '#contract/product.ts'
import { PROOF_HEADER, PROOF_HEADER_USE } from '#contract/proof-of-work.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import type { AppContext } from '../context.ts'
import { describeRefusal, sendFormPage, sendRefusedForm, typedSlots } from '../http/form-page.ts'
import { formRoutes, readFields } from '../http/form-post.ts'
import { parseInput } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import type { Slots } from '../http/template.ts'
import { Refusal } from '../refusal.ts'
import type { TryNote } from './note-tries.ts'
import { type OpenedNote, rejectNote, replyToNote, showNote } from './read-note.ts'

/** A reply of 2,000 characters of four bytes each, three characters a byte. */
const FORM_MAX_BYTES = 32 * 1024

const FORM = { ...NoteKey.shape, reply: z.optional(z.string()), action: z.optional(z.enum(['reply', 'unwanted'])) }
const FIELDS = ['code', 'plate', 'reply', 'action'] as const

type Values = Record<(typeof FIELDS)[number], string>

/**
 * Registers the forms of `/n`: `POST /n` and `POST /fr/n` open a note, answer it, or throw it away, and respond with the note, or with the
 * form again and what is wrong. Code and plate travel in the body alone, never in an address.
 *
 * @param pages the built pages, if the web app is served too
 */
export function noteFormRoutes(
  app: FastifyInstance,
  context: AppContext,
  tryNote: TryNote,
  pages?: Map<string, StaticPage>,
) {
  formRoutes(app, FORM_MAX_BYTES, pages, (route, findPage, locale) => {
    const page = findPage(paths.note())
    const openedPage = findPage(`${paths.note()}/opened`)
    const gonePage = findPage(`${paths.note()}/gone`)
    const sendNote = (reply: FastifyReply, values: Values, note: OpenedNote, status = 200, failure: Slots = {}) =>
      sendFormPage(reply, status, openedPage, {
        ...typedSlots(values),
        ...noteSlots(values, note, locale),
        ...failure,
      })
    route({
      path: paths.note(),
      summary: 'Opens, answers or rejects a note. Whatever is wrong with code, plate or note, the page is the same.',
      fields: FORM,
      headers: { [PROOF_HEADER]: PROOF_HEADER_USE },
      async handle(request, reply) {
        const values = readFields(request, FIELDS)
        const opened = await tryNote(parseInput(NoteKey, values), request)
        if (values.action === 'unwanted') {
          await rejectNote(context, opened, request.ip)
          return sendFormPage(reply, 200, gonePage, {})
        }
        if (values.action !== 'reply') return sendNote(reply, values, await showNote(context, opened))
        try {
          const { reply: text } = parseInput(z.object({ reply: NoteReply }), values)
          return sendNote(reply, values, await replyToNote(context, opened, text))
        } catch (error) {
          // the note is shown again with what was typed
          if (!(error instanceof Refusal) || error.code === 'note_not_found') throw error
          const note = await showNote(context, opened)
          // there is no form any more, and what was typed has not become the reply
          const unsent = note.row.replied_at !== null && { UNSENT: values.reply, REPLIED: '' }
          return sendNote(reply, values, note, ERROR_STATUS[error.code], {
            ...describeRefusal(error, locale),
            ...unsent,
          })
        }
      },
      sendRefusal(refusal, request, reply) {
        const values = readFields(request, FIELDS)
        const typed = { ...values, code: formatNoteCode(noteCodeDigits(values.code)) || values.code }
        sendRefusedForm(reply, refusal, page, { ...typedSlots(typed), ...describeRefusal(refusal, locale) })
      },
    })
  })
}

/** Returns the slots of an opened note, in the language of its reader. */
function noteSlots({ plate }: Values, { row, note }: OpenedNote, locale: Locale): Slots {
  const text = localizedMessageText(note, locale)
  const isReplied = row.replied_at !== null
  return {
    PLATE: displayPlate(plate),
    LEFT_AT: row.created_at,
    REASON: reasonName(note.reason, locale) ?? '',
    TEXT: text,
    TEXT_LANGUAGE: text === note.content ? note.language : locale,
    CAN_REPLY: isReplied ? '' : 'yes',
    REPLIED: isReplied ? 'yes' : '',
    UNSENT: '',
  }
}
