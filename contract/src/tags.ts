import * as z from 'zod/mini'
import { endpoint, IdParam } from './endpoint.ts'
import { plateField } from './fields.ts'
import { GUEST_CHIPS, GUEST_CHIPS_MAX } from './guest-chips.ts'
import { GUEST_LANGUAGES } from './guest-languages.ts'
import { GUEST_REASONS } from './guest-texts.ts'
import { displayPlate, plateKey } from './plates.ts'
import { BrowserPushSubscription } from './push.ts'

/** How many of the last characters of a plate prove that somebody stands at it (decision windshield-tag). */
const PLATE_END_LENGTH = 3

/**
 * Returns what must be typed of a plate: its last three characters without hyphens, or all of them when it is shorter.
 *
 * @param key of the plate (`plateKey`)
 */
export const plateEnd = (key: string): string => key.slice(-PLATE_END_LENGTH)

/** A tag as its owner sees it. */
export const Tag = z.object({
  token: z.string(),
  /** Eight digits for `/t`, in place of the token. */
  digits: z.string(),
  /** What the QR code says. */
  url: z.string(),
  created_at: z.iso.datetime(),
})
export type Tag = z.infer<typeof Tag>

export const createTag = endpoint({
  method: 'POST',
  path: '/api/vehicles/:id/tag',
  audience: 'user',
  status: 201,
  summary: 'Makes a windshield tag for an own vehicle; the one it had before is dead at once.',
  input: IdParam,
  output: Tag,
})

export const deleteTag = endpoint({
  method: 'DELETE',
  path: '/api/vehicles/:id/tag',
  audience: 'user',
  summary: 'Revokes the windshield tag of an own vehicle.',
  input: IdParam,
})

export const listTags = endpoint({
  method: 'GET',
  path: '/api/tags',
  audience: 'user',
  summary: 'The windshield tags of the own vehicles; there are as many as vehicles at most.',
  output: z.object({ items: z.array(z.extend(Tag, { vehicle_id: z.uuid() })) }),
})

/** A token, or eight digits, which may be written in groups. */
export const TagReference = z.string().check(
  z.minLength(1),
  z.maxLength(100),
  z.overwrite((typed) => (/^[\d\s-]+$/.test(typed) ? typed.replace(/\D/g, '') : typed)),
)

/** What somebody at a vehicle says: nothing in it is a text of their own. */
export const GuestMessage = z.object({
  plate_end: plateField('plate_end', (typed) => plateKey(displayPlate(typed))),
  reason: z.enum(GUEST_REASONS),
  chips: z._default(z.array(z.enum(GUEST_CHIPS)).check(z.maxLength(GUEST_CHIPS_MAX)), []),
  /** The language of the answer, and of the notification on the phone. */
  language: z._default(z.enum(GUEST_LANGUAGES), 'en'),
})
export type GuestMessage = z.output<typeof GuestMessage>

/**
 * The header with the random value a guest's browser keeps, by which repeated messages of one device are limited, blocked and
 * reported; without it, the network is all that is known.
 */
export const DEVICE_HEADER = 'guest-device'
export const DeviceId = z.string().check(z.regex(/^[\w-]{22,64}$/))

const ReceiptParam = z.object({ receipt: z.string().check(z.regex(/^[\w-]{43}$/)) })

export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/receipts/:receipt',
  audience: 'public',
  summary: 'Whether a message that was left at a vehicle was answered.',
  input: ReceiptParam,
  /** Nothing in it says whether anybody has read the message. */
  output: z.object({ state: z.enum(['left', 'answered']) }),
})

export const subscribeToReceipt = endpoint({
  method: 'POST',
  path: '/api/receipts/:receipt/push',
  audience: 'public',
  summary: 'Tells one device when the owner answers this message, once.',
  input: z.extend(ReceiptParam, BrowserPushSubscription.shape),
})
