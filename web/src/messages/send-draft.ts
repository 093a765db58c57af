import type { Attachment } from '#contract/attachments.ts'
import { MESSAGE_REASONS, type MessageReason } from '#contract/messages.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { asOneOf, asString, readDraftFields, saveDraft } from '~/lib/form/drafts'

/** The values of the form of /send; empty where nothing is chosen. */
export type SendValues = { plate: string; content: string; reason: MessageReason | ''; province: Province | '' }

const DRAFT_NAME = 'send'

/** The server stores an unsent image for an hour (decision photos-and-files); this is shorter, to leave time for sending it. */
const IMAGE_LIFETIME_MS = 55 * MINUTE_MS

type Draft = {
  plate: string
  content: string
  reason: MessageReason | ''
  province: Province | ''
  /** The provinces the plate is registered in, once the server has asked which one is meant. */
  provinces: Province[]
  /** The plate in the address when this draft was begun. */
  named: string
  image: Attachment | null
}

/**
 * Returns what /send starts with: what was being written, empty where it is missing. A plate in the address replaces
 * the one in the draft, unless the draft was begun with it.
 *
 * @param plateFromUrl the plate in the address; empty: none
 */
export function readSendDraft(plateFromUrl: string): Draft {
  const { plate, content, reason, province, provinces, named, image } = readDraftFields(DRAFT_NAME)
  const draft = {
    plate: asString(plate),
    content: asString(content),
    reason: asOneOf(MESSAGE_REASONS, reason),
    province: asOneOf(PROVINCES, province),
    provinces: Array.isArray(provinces) ? PROVINCES.filter((one) => provinces.includes(one)) : [],
    named: asString(named),
    image: parseImage(image),
  }
  if (plateFromUrl === '' || plateFromUrl === draft.named) return draft
  return { ...draft, plate: plateFromUrl, province: '', provinces: [], named: plateFromUrl }
}

function parseImage(stored: unknown): Attachment | null {
  const { id, url, until } = (stored ?? {}) as Record<string, unknown>
  if (typeof until !== 'number' || until <= Date.now()) return null
  return typeof id === 'string' && typeof url === 'string' ? { id, url } : null
}

/** Stores a part of what is being written, next to what is stored already. */
export const saveSendDraft = (part: Partial<Omit<Draft, 'image'>>) =>
  saveDraft(DRAFT_NAME, { ...readDraftFields(DRAFT_NAME), ...part })

/** Stores the uploaded image of the message; null: there is none. */
export const saveSendDraftImage = (image: Attachment | null) =>
  saveDraft(DRAFT_NAME, {
    ...readDraftFields(DRAFT_NAME),
    image: image && { ...image, until: Date.now() + IMAGE_LIFETIME_MS },
  })

/** Clears what was written, and what was filled in about a collision (`collision-draft.ts`). */
export const clearSendDraft = () => {
  saveDraft(DRAFT_NAME, undefined)
  saveDraft('collision', undefined)
}
