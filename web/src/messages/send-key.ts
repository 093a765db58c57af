import { keepDraft, readDraft } from '~/lib/drafts'

const DRAFT = 'send-key'
const KEY_BYTES = 16

/**
 * The Idempotency-Key of a message: the same for every try of the same contents, also after a reload, so that a message
 * whose answer got lost is not sent twice; another one as soon as anything in it changes.
 */
export function sendKey(contents: unknown): string {
  const wanted = JSON.stringify(contents)
  const kept = readDraft(DRAFT)
  if (isKept(kept) && kept.contents === wanted) return kept.key
  // not crypto.randomUUID: on a plain-http address in the own network it does not exist
  const random = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  const key = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  keepDraft(DRAFT, { contents: wanted, key })
  return key
}

/** The message is sent: the next one is another, even with the same words. */
export const forgetSendKey = () => keepDraft(DRAFT, undefined)

const isKept = (kept: unknown): kept is { contents: string; key: string } =>
  typeof kept === 'object' && kept !== null && 'contents' in kept && 'key' in kept && typeof kept.key === 'string'
