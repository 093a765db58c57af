import type { Attachment } from '#contract/attachments.ts'
import { MESSAGE_REASONS, type MessageReason, type NewMessage, sendMessage } from '#contract/messages.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { collisionTemplate, isMessageTemplate } from '#contract/reasons.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type CollisionValues, readCollisionFields } from '~/collisions/collision-fields'
import { asOneOf, readDraftFields, readDraftTexts, saveDraft } from '~/lib/form/drafts'
import { call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'

/** The values of the form of /send; empty where nothing is chosen. */
export type SendValues = {
  plate: string
  content: string
  reason: MessageReason | ''
  province: Province | ''
} & CollisionValues

const DRAFT_NAME = 'send'

/** The server stores an unsent image for an hour (decision photos-and-files); this is shorter, to leave time for sending it. */
const IMAGE_LIFETIME_MS = 55 * MINUTE_MS

type Draft = {
  values: SendValues
  /** The provinces the plate is registered in, once the server has asked which one is meant. */
  provinces: Province[]
  image: Attachment | null
}

/**
 * Returns what /send starts with: what was being written, empty where it is missing. A plate in the address replaces
 * the one in the draft, unless the draft was begun with it.
 *
 * @param plateFromUrl the plate in the address; empty: none
 * @param isHit whether it is about the sender having hit the vehicle
 */
export function readSendDraft(plateFromUrl: string, isHit: boolean): Draft {
  const { provinces, image } = readDraftFields(DRAFT_NAME)
  const { named, ...texts } = readDraftTexts(DRAFT_NAME, ['plate', 'content', 'reason', 'province', 'named'])
  const values = {
    ...readCollisionFields(DRAFT_NAME),
    ...texts,
    reason: asOneOf(MESSAGE_REASONS, texts.reason),
    ...(isHit && {
      reason: 'accident' as const,
      'collision-kind': 'hit' as const,
      content: isOwnText(texts.content) ? texts.content : collisionTemplate('hit', getLocale()),
    }),
    province: asOneOf(PROVINCES, texts.province),
  }
  const attached = parseImage(image)
  if (plateFromUrl === '' || plateFromUrl === named)
    return {
      values,
      provinces: Array.isArray(provinces) ? PROVINCES.filter((one) => provinces.includes(one)) : [],
      image: attached,
    }
  return { values: { ...values, plate: plateFromUrl, province: '' }, provinces: [], image: attached }
}

/** Returns whether a text is the sender's, and not one of a reason. */
export const isOwnText = (text: string) => text.trim() !== '' && !isMessageTemplate(text)

function parseImage(stored: unknown): Attachment | null {
  const { id, url, until } = (stored ?? {}) as Record<string, unknown>
  if (typeof until !== 'number' || until <= Date.now()) return null
  return typeof id === 'string' && typeof url === 'string' ? { id, url } : null
}

/** Stores what is being written, next to the image. `named` is the plate in the address when it was begun. */
export const saveSendDraft = (values: SendValues, provinces: Province[], named: string) =>
  saveDraft(DRAFT_NAME, { ...readDraftFields(DRAFT_NAME), ...values, provinces, named })

/** Stores the uploaded image of the message; null: there is none. */
export const saveSendDraftImage = (image: Attachment | null) =>
  saveDraft(DRAFT_NAME, {
    ...readDraftFields(DRAFT_NAME),
    image: image && { ...image, until: Date.now() + IMAGE_LIFETIME_MS },
  })

/** Clears what was written, and the key of the sent message: the next one is another message, even with the same words. */
export function clearSendDraft() {
  saveDraft(DRAFT_NAME, undefined)
  saveDraft(KEY_NAME, undefined)
}

/** Sends a message, whose idempotency key makes another attempt harmless. */
export const submitMessage = (message: NewMessage) =>
  call(sendMessage, message, { headers: { 'idempotency-key': idempotencyKey(message) }, withTimeout: true })

const KEY_NAME = 'send-key'
const KEY_BYTES = 16

/**
 * Returns the Idempotency-Key of a message: the same for every attempt with the same contents, even after a reload, so
 * that a message whose response got lost is not sent twice; another one as soon as anything in it changes.
 */
function idempotencyKey(message: NewMessage): string {
  const contents = JSON.stringify(message)
  const stored = readDraftFields(KEY_NAME)
  if (stored['contents'] === contents && typeof stored['key'] === 'string') return stored['key']
  // not crypto.randomUUID, which does not exist on a plain-http address of a local network
  const random = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  const key = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  saveDraft(KEY_NAME, { contents, key })
  return key
}
