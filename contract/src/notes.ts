import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PlateInput, requiredText } from './fields.ts'
import { MESSAGE_MAX, NewMessage } from './messages.ts'
import { NOTE_CODE_DIGITS, noteCodeDigits } from './note-code.ts'
import { PROOF_HEADER, PROOF_HEADER_USE } from './proof-of-work.ts'

/** What somebody needs who stands at the car: the digits on the paper, and the plate. A check digit is not looked at. */
export const NoteKey = z.object({
  code: z.pipe(
    z.pipe(z.string().check(z.maxLength(100)), z.transform(noteCodeDigits)),
    z.string().check(z.length(NOTE_CODE_DIGITS, 'note_code')),
  ),
  plate: PlateInput,
})
export type NoteKey = z.output<typeof NoteKey>

/** The reply to a note. */
export const NoteReply = requiredText(MESSAGE_MAX, 'reply_missing')

export const leaveNote = endpoint({
  method: 'POST',
  path: '/api/notes',
  audience: 'verified',
  status: 201,
  summary:
    'Leaves a message as a note for the windshield, whether or not the plate is registered. The code is shown this once.',
  input: NewMessage,
  output: z.object({ code: z.string(), expires_at: z.iso.datetime() }),
})

export const claimNote = endpoint({
  method: 'POST',
  path: '/api/notes/claim',
  audience: 'user',
  summary: 'Makes a note a received message of the caller, who has an active vehicle with the plate.',
  headers: { [PROOF_HEADER]: PROOF_HEADER_USE },
  input: NoteKey,
  output: z.object({ id: z.uuid() }),
})
