import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { ERROR_STATUS } from '#contract/errors.ts'
import { NoteKey, NoteReply } from '#contract/notes.ts'
import { localizedPath, paths } from '#contract/paths.ts'
import { LOCALES } from '#contract/product.ts'
import type { AppContext } from '../context.ts'
import { refusalMessage, setRetryAfter, toRefusal } from '../http/errors.ts'
import { fieldTexts } from '../http/field-texts.ts'
import { acceptForms, formEndpoint, formFields } from '../http/form-post.ts'
import { sendMinimalPage } from '../http/minimal-page.ts'
import { parseInput } from '../http/route.ts'
import { Refusal } from '../refusal.ts'
import { type NoteFormValues, renderNote, renderNoteForm, renderThrownAway, shownCode } from './note-page.ts'
import type { TryNote } from './note-tries.ts'
import { rejectNote, replyToNote, showNote } from './read-note.ts'

/** A reply of 2,000 characters of four bytes each, three characters a byte. */
const FORM_MAX_BYTES = 32 * 1024

const FORM = { ...NoteKey.shape, reply: z.optional(z.string()), action: z.optional(z.enum(['reply', 'unwanted'])) }

const readValues = (request: FastifyRequest): NoteFormValues => {
  const form = formFields(request)
  const field = (name: string) => form.get(name) ?? ''
  return { code: shownCode(field('code')), plate: field('plate'), reply: field('reply'), action: field('action') }
}

/**
 * Registers the form of `/n` as browsers post it without scripts: `POST /n` and `POST /fr/n` respond with the note, or with
 * the form again and what is wrong. Code and plate travel in the body alone, never in an address.
 */
export function noteFormRoutes(app: FastifyInstance, context: AppContext, tryNote: TryNote) {
  const { PUBLIC_URL: publicUrl } = context.config
  void app.register(async (scope) => {
    acceptForms(scope, FORM_MAX_BYTES)
    for (const locale of LOCALES) {
      const site = { locale, publicUrl }
      const url = localizedPath(paths.note(), locale)
      scope.route({
        method: 'POST',
        url,
        config: { endpoint: formEndpoint(url, 'Opens, answers or rejects a note, without scripts.', FORM) },
        handler: async (request, reply) => {
          const values = readValues(request)
          const opened = await tryNote(parseInput(NoteKey, values), request)
          if (values.action === 'unwanted') {
            await rejectNote(context, opened, request.ip)
            return sendMinimalPage(reply, 200, renderThrownAway(site))
          }
          if (values.action === 'reply') {
            try {
              const note = await replyToNote(context, opened, parseInput(NoteReply, values.reply))
              return sendMinimalPage(reply, 200, renderNote(site, values, note))
            } catch (error) {
              // the note is shown again with what was typed
              if (!(error instanceof Refusal) || error.code === 'note_not_found') throw error
              const note = await showNote(context, opened)
              const page = renderNote(site, values, note, refusalMessage(error, locale))
              return sendMinimalPage(reply, ERROR_STATUS[error.code], page)
            }
          }
          return sendMinimalPage(reply, 200, renderNote(site, values, await showNote(context, opened)))
        },
        errorHandler: (error, request, reply) => {
          const refusal = toRefusal(request, error)
          setRetryAfter(reply, refusal.details.retryAfterS)
          const fields = fieldTexts(refusal.details.fields ?? {}, locale)
          const page = renderNoteForm(site, readValues(request), refusalMessage(refusal, locale), fields)
          void sendMinimalPage(reply, ERROR_STATUS[refusal.code], page)
        },
      })
    }
  })
}
