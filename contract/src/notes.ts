import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PlateInput, requiredText } from './fields.ts'
import { MESSAGE_MAX, MessageReason, NewMessage } from './messages.ts'
import { NOTE_CODE_DIGITS, noteCodeDigits } from './note-code.ts'
import { LOCALES } from './product.ts'
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

/** A note as its reader sees it, who has its code and the plate: nothing about who left it. */
export const Note = z.object({
  content: z.string(),
  reason: z.nullable(MessageReason),
  /** The language its text was written in. */
  language: z.enum(LOCALES),
  left_at: z.iso.datetime(),
  /** When it is deleted: 72 hours after it was left, 7 days after it was first opened. */
  expires_at: z.iso.datetime(),
  /** Null: it can be answered, once. */
  replied_at: z.nullable(z.iso.datetime()),
})
export type Note = z.infer<typeof Note>

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

export const openNote = endpoint({
  method: 'POST',
  path: '/api/notes/open',
  audience: 'public',
  summary: 'Opens a note. Whatever is wrong with code, plate or note, the answer is the same.',
  headers: { [PROOF_HEADER]: PROOF_HEADER_USE },
  input: NoteKey,
  output: Note,
})

export const replyToNote = endpoint({
  method: 'POST',
  path: '/api/notes/reply',
  audience: 'public',
  summary: 'Answers a note, once. Its sender reads the answer among the sent messages.',
  headers: { [PROOF_HEADER]: PROOF_HEADER_USE },
  input: z.extend(NoteKey, { reply: NoteReply }),
  output: Note,
})

export const rejectNote = endpoint({
  method: 'POST',
  path: '/api/notes/unwanted',
  audience: 'public',
  summary: 'Reports a note to the moderators, with a copy of it, and throws it away.',
  headers: { [PROOF_HEADER]: PROOF_HEADER_USE },
  input: NoteKey,
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
