/* The script of pages with a plain form (decision forms-before-scripts), bundled by web/plain-form-script.ts: keep it small. */
import { startPlainForms } from '~/lib/plain-form/plain-form'
import { answerForms } from '~/messages/answer-script'
import { noteForms } from '~/notes/note-script'
import { guestForms } from '~/tags/tag-script'

startPlainForms([noteForms, guestForms, answerForms])
