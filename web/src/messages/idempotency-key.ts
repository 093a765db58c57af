import { readDraft, saveDraft } from '~/lib/form/drafts'

const DRAFT_NAME = 'send-key'
const KEY_BYTES = 16

/**
 * Returns the Idempotency-Key of a message: the same for every attempt with the same contents, even after a reload, so
 * that a message whose response got lost is not sent twice; another one as soon as anything in it changes.
 */
export function idempotencyKey(contents: unknown): string {
  const serialized = JSON.stringify(contents)
  const stored = readDraft(DRAFT_NAME)
  if (isStoredKey(stored) && stored.contents === serialized) return stored.key
  // not crypto.randomUUID, which does not exist on a plain-http address of a local network
  const random = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  const key = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  saveDraft(DRAFT_NAME, { contents: serialized, key })
  return key
}

/** Clears the key of a sent message: the next one is another message, even with the same words. */
export const clearIdempotencyKey = () => saveDraft(DRAFT_NAME, undefined)

const isStoredKey = (value: unknown): value is { contents: string; key: string } =>
  typeof value === 'object' && value !== null && 'contents' in value && 'key' in value && typeof value.key === 'string'
