import type { Attachment } from '#contract/attachments.ts'
import { MESSAGE_REASONS, type MessageReason } from '#contract/messages.ts'
import { PROVINCES, type Province } from '#contract/provinces.ts'
import { asOneOf, asString, readDraftFields, saveDraft } from '~/lib/form/drafts'

/** What the form of /send holds; an empty text where nothing is chosen. */
export type SendValues = { plate: string; content: string; reason: MessageReason | ''; province: Province | '' }

const DRAFT_NAME = 'send'

/** An uploaded image waits an hour for its message (decision 0057); less here, for the time until it is sent. */
const IMAGE_LIFETIME_MS = 55 * 60_000

type Draft = {
  plate: string
  content: string
  reason: MessageReason | ''
  province: Province | ''
  /** The provinces this plate is registered in, once the server has asked which one it is. */
  provinces: Province[]
  /** The plate the address named when this was begun. */
  named: string
  image: Attachment | null
}

/**
 * What /send starts with: what was being written; what is lost is asked for again. A plate in the address goes before
 * the one in the draft, but not before what was typed over it.
 *
 * @param named the plate in the address; empty: none
 */
export function readSendDraft(named: string): Draft {
  const { plate, content, reason, province, provinces, named: begunWith, image } = readDraftFields(DRAFT_NAME)
  const draft = {
    plate: asString(plate),
    content: asString(content),
    reason: asOneOf(MESSAGE_REASONS, reason),
    province: asOneOf(PROVINCES, province),
    provinces: Array.isArray(provinces) ? PROVINCES.filter((one) => provinces.includes(one)) : [],
    named: asString(begunWith),
    image: parseImage(image),
  }
  if (named === '' || named === draft.named) return draft
  return { ...draft, plate: named, province: '', provinces: [], named }
}

function parseImage(kept: unknown): Attachment | null {
  const { id, url, until } = (kept ?? {}) as Record<string, unknown>
  if (typeof until !== 'number' || until <= Date.now()) return null
  return typeof id === 'string' && typeof url === 'string' ? { id, url } : null
}

/** Keeps a part of what is being written, beside what is kept already. */
export const saveSendDraft = (part: Partial<Omit<Draft, 'image'>>) =>
  saveDraft(DRAFT_NAME, { ...readDraftFields(DRAFT_NAME), ...part })

/** Keeps the uploaded image for the message; null: there is none. */
export const saveSendDraftImage = (image: Attachment | null) =>
  saveDraft(DRAFT_NAME, {
    ...readDraftFields(DRAFT_NAME),
    image: image && { ...image, until: Date.now() + IMAGE_LIFETIME_MS },
  })

export const clearSendDraft = () => saveDraft(DRAFT_NAME, undefined)
