// chunk: signed-in (the inbox of admins knows of them too, and others must not load the chunk of admins for them)

import * as z from 'zod/mini'
import { Collision, MessageCollision } from './collisions.ts'
import { endpoint, IdParam, PageParams, pageOf } from './endpoint.ts'
import { checkText, isSendable, PlateInput, Province, requiredText } from './fields.ts'
import { MINUTE_MS } from './time.ts'
import { VehicleRole } from './vehicle-role.ts'
import { hasVisibleCharacter } from './visible-text.ts'

/** Maximum length of a message or reply, in characters. */
export const MESSAGE_MAX = 2_000

/**
 * Reasons for a message; shown to the owner in the owner's language. Senders are offered them in this order: what the
 * product is for as the requirements name it (§1), what is about to happen to the vehicle, what can wait, and what is rare.
 */
export const MESSAGE_REASONS = [
  'blocked_in',
  'lights_on',
  'door_open',
  'accident',
  'towing',
  'alarm',
  'flat_or_leak',
  'someone_inside',
  'other',
] as const
export const MessageReason = z.enum(MESSAGE_REASONS)
export type MessageReason = z.infer<typeof MessageReason>

/** The reasons that quiet hours do not hold back (decision quiet-hours): a life, or a vehicle that is about to go. */
export const URGENT_REASONS: readonly MessageReason[] = ['someone_inside', 'towing']

/** The kinds of a reply that is one tap (decision replies-and-search); each side reads it in their own language. */
export const ANSWERS = ['coming', 'in_5', 'in_15', 'not_my_car', 'thanks'] as const
export const Answer = z.enum(ANSWERS)
export type Answer = z.infer<typeof Answer>

// a plate or a message that is missing makes the refusal `fields_missing` (requirements §5)
const requiredPlate = z.string('fields_missing').check(z.refine(hasVisibleCharacter, 'fields_missing'))

export const NewMessage = z
  .object({
    plate: z.pipe(requiredPlate, PlateInput),
    content: requiredText(MESSAGE_MAX, 'fields_missing'),
    province: z.optional(Province),
    reason: z.optional(MessageReason),
    attachment_id: z.optional(z.uuid()),
    /** What a message about a collision carries besides (decision collision-messages). */
    collision: z.optional(Collision),
  })
  .check(
    z.refine(({ collision, reason }) => collision === undefined || reason === 'accident', {
      error: 'collision_reason',
      path: ['collision'],
    }),
  )
export type NewMessage = z.output<typeof NewMessage>

/** The header that makes sending a message twice harmless: 8 to 100 visible ASCII characters, one key per message. */
export const IdempotencyKey = z.string().check(z.regex(/^[\x21-\x7E]{8,100}$/, 'idempotency_key'))

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  audience: 'verified',
  status: 201,
  summary: 'Sends a message to the owner of a plate. A repeated one with the same key answers as the first did.',
  headers: { 'Idempotency-Key': '8 to 100 visible ASCII characters' },
  input: NewMessage,
  output: z.object({ id: z.uuid(), plate: z.string(), inserted_at: z.iso.datetime() }),
})

/** What either side sees of a message. */
const messageFields = {
  id: z.uuid(),
  content: z.string(),
  reason: z.nullable(MessageReason),
  image_url: z.nullable(z.string()),
  inserted_at: z.iso.datetime(),
  /** May be empty where there is an answer. */
  reply: z.nullable(z.string()),
  answer: z.nullable(Answer),
  replied_at: z.nullable(z.iso.datetime()),
  /** When it is deleted unless something happens to it before: 12 months after it was sent or answered. */
  kept_until: z.iso.datetime(),
  /** Null for a message that is not about a collision, or does not say how. */
  collision: z.nullable(MessageCollision),
}

/** A message as its recipient sees it; it reveals nothing about the sender (decision mutual-anonymity). */
export const ReceivedMessage = z.object({
  ...messageFields,
  plate: z.string(),
  vehicle_id: z.uuid(),
  /** What the caller is to the vehicle. */
  role: VehicleRole,
  is_read: z.boolean(),
  /** Whether somebody without an account left it at the vehicle, with its tag. */
  left_at_vehicle: z.boolean(),
  /** Who of the vehicle replied, for everybody of it (decision vehicle-people); null: nobody has. */
  replied_by: z.nullable(z.enum(['me', ...VehicleRole.options])),
  /** Whether moderators removed the reply: there will be no other. */
  reply_removed: z.boolean(),
})
export type ReceivedMessage = z.infer<typeof ReceivedMessage>

/**
 * The status of the email that notifies the owner. The message itself is in the owner's inbox as soon as it is sent.
 * - `queued`: not sent yet;
 * - `sent`: done. Whether the owner wants emails stays hidden from the sender: an unwanted one goes through the same steps
 *   and takes as long;
 * - `failed`: the email was rejected permanently, or given up after 72 hours.
 *
 * Several messages may share an email; each has its own status.
 */
const EmailStatus = z.enum(['queued', 'sent', 'failed'])

/** The reasons for which somebody stands and waits, or cannot. */
export const IMPATIENT_REASONS: readonly MessageReason[] = ['blocked_in', 'towing', 'someone_inside']

/** When a message counts as without an answer, and its sender may ask once more: by its reason. */
export const NO_ANSWER_AFTER_MINUTES = { impatient: 5, other: 10 }

/** Returns from when on a message counts as without an answer, in milliseconds since 1970. */
export const noAnswerFrom = (inserted_at: string, reason: MessageReason | null): number => {
  const { impatient, other } = NO_ANSWER_AFTER_MINUTES
  return Date.parse(inserted_at) + MINUTE_MS * (reason && IMPATIENT_REASONS.includes(reason) ? impatient : other)
}

/** The answers that mean that somebody comes. */
export const COMING_ANSWERS: readonly Answer[] = ['coming', 'in_5', 'in_15']

/** A message as its sender sees it; it reveals nothing about the owner. */
export const SentMessage = z.object({
  ...messageFields,
  /** As the sender typed it; null for a note on the windshield, of which only the reply shows. */
  plate: z.nullable(z.string()),
  email_status: EmailStatus,
  /** Whether the sender has used the one reminder. */
  nudged: z.boolean(),
})
export type SentMessage = z.infer<typeof SentMessage>

export const MessageView = z.enum(['received', 'sent'])
export type MessageView = z.infer<typeof MessageView>

/** Either of the two shapes, discriminated by `view`. */
export const MessageDetail = z.union([
  z.extend(ReceivedMessage, { view: z.literal('received') }),
  z.extend(SentMessage, { view: z.literal('sent') }),
])
export type MessageDetail = z.infer<typeof MessageDetail>

/** Which of the messages of a view are meant. Both are about received ones. */
const messageFilters = {
  vehicle_id: z.optional(z.uuid().check(z.toLowerCase())),
  unread: z.optional(z.literal('true')),
}
type FilteredView = { view: MessageView; vehicle_id?: string | undefined; unread?: 'true' | undefined }
const isFilterable = ({ view, vehicle_id, unread }: FilteredView) =>
  view === 'received' || (vehicle_id === undefined && unread === undefined)

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages',
  audience: 'user',
  summary: 'Messages to own vehicles (received) or own messages (sent), newest first.',
  input: z
    .extend(PageParams, { view: z._default(MessageView, 'received'), ...messageFilters })
    .check(z.refine(isFilterable, { error: 'view_filter', path: ['view'] })),
  output: pageOf(z.union([ReceivedMessage, SentMessage])),
})

/** The length of what is searched for, in characters. */
export const SEARCH_TEXT_MIN = 2
export const SEARCH_TEXT_MAX = 100

export const searchMessages = endpoint({
  method: 'POST', // what is searched for must stand in no address, and so in no log
  path: '/api/messages/search',
  audience: 'user',
  summary: 'Searches the own messages, newest first, a part of them at a time: `next` goes on with older ones.',
  input: z
    .object({
      text: z
        .string()
        .check(
          z.trim(),
          z.minLength(SEARCH_TEXT_MIN),
          z.maxLength(SEARCH_TEXT_MAX),
          z.refine(isSendable, 'unsendable'),
        ),
      view: MessageView,
      ...messageFilters,
      cursor: PageParams.shape.cursor,
    })
    .check(z.refine(isFilterable, { error: 'view_filter', path: ['view'] })),
  output: z.object({
    items: z.array(z.union([ReceivedMessage, SentMessage])),
    /** How many messages this call has looked at. */
    searched: z.number(),
    /** Null: there are no older ones. */
    next: z.nullable(z.string()),
  }),
})

export const getMessage = endpoint({
  method: 'GET',
  path: '/api/messages/:id',
  audience: 'user',
  summary: 'One message, as the caller may see it.',
  input: IdParam,
  output: MessageDetail,
})

export const markMessage = endpoint({
  method: 'PATCH',
  path: '/api/messages/:id',
  audience: 'user',
  summary: 'Marks a received message read or unread, and what was notified of a message read with it.',
  input: z.extend(IdParam, { is_read: z.boolean() }),
  output: MessageDetail,
})

export const replyToMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:id/reply',
  audience: 'user',
  summary: 'Replies once to a received message: with a text, an answer, or both.',
  input: z
    .extend(IdParam, { reply: z._default(z.string().check(...checkText(MESSAGE_MAX)), ''), answer: z.optional(Answer) })
    .check(
      z.refine(({ reply, answer }) => answer !== undefined || hasVisibleCharacter(reply), {
        error: 'reply_missing',
        path: ['reply'],
      }),
    ),
  output: ReceivedMessage,
})

export const nudgeMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:id/nudge',
  audience: 'user',
  summary:
    'Reminds the owner of a sent message: once, five or ten minutes after it by its reason, and while there is no answer.',
  input: IdParam,
  output: SentMessage,
})
