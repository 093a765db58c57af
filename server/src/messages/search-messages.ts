import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as z from 'zod/mini'
import { answerText } from '#contract/answers.ts'
import type { MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { displayPlate, foldPlate, plateKey } from '#contract/plates.ts'
import type { Locale } from '#contract/product.ts'
import { localizedMessageText, reasonName } from '#contract/reasons.ts'
import type { AppContext } from '../context.ts'
import { parseCursor } from '../db/pagination.ts'
import type { DecryptContext } from '../encryption/decrypt-for-display.ts'
import { enforceLimit } from '../limits/enforce-limit.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit, userLimitKey } from '../limits/rate-limiter.ts'
import { createSlots } from '../limits/slots.ts'
import { toReceivedMessage, toSentMessage } from './list-messages.ts'
import { listReceived, listSent } from './queries.ts'

/** How many messages one call looks at, and how many it returns: the caller goes on from there. */
const MAX_SEARCHED = 500
const MAX_FOUND = 20
/** The messages that are decrypted in one go; then other requests have their turn. */
const BATCH_SIZE = 50
/** The searches that one process runs at a time, for everyone together. */
const MAX_CONCURRENT = 8

type SearchInput = {
  text: string
  view: MessageView
  vehicle_id?: string | undefined
  unread?: 'true' | undefined
  cursor?: string | undefined
}

type SearchResult = { items: (ReceivedMessage | SentMessage)[]; searched: number; next: string | null }

const Id = z.uuid()

/** Returns a text as it is compared: without case, accents and the shape of apostrophes. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").replaceAll('œ', 'oe').toLowerCase()

/** Returns all that a message shows to its reader in their language, and what was written. */
function shownTexts(message: ReceivedMessage | SentMessage, locale: Locale): string {
  const { plate, content, reason, reply, answer } = message
  const isReceived = 'is_read' in message
  const texts = [plate, content, reply, answerText(answer, locale)]
  if (isReceived) texts.push(localizedMessageText({ content, reason }, locale))
  if (reason !== null) texts.push(reasonName(reason, locale))
  return fold(texts.filter(Boolean).join('\n'))
}

/** Returns a check whether a message has every word in its texts, or as a part of its plate, which people write in many ways. */
function makeMatches(text: string, locale: Locale) {
  const words = text
    .split(/\s+/)
    .map((typed) => typed.replace(/(?<=.)[.,!?…]+$/u, '')) // dictation ends what is said with a full stop
    .map((word) => ({ parts: fold(word).split(/\s+/).filter(Boolean), key: foldPlate(plateKey(displayPlate(word))) }))
    .filter(({ parts }) => parts.length > 0)
  return (message: ReceivedMessage | SentMessage): boolean => {
    const shown = shownTexts(message, locale)
    const plate = foldPlate(plateKey(message.plate ?? ''))
    return (
      words.length > 0 &&
      words.every(
        ({ parts, key }) => parts.every((part) => shown.includes(part)) || (key !== '' && plate.includes(key)),
      )
    )
  }
}

/**
 * Creates the search in a user's own messages. It happens here, over what is decrypted for its reader, in parts: the
 * database holds nothing that could be searched, and what somebody looks for is neither stored nor logged.
 */
export function makeSearchMessages({ db, config, keyring }: AppContext) {
  const acquireSlot = createSlots({
    perUser: scaleLimit(LIMITS.concurrentSearches.max, config),
    total: MAX_CONCURRENT,
  })
  return async (
    userId: string,
    decryptContext: DecryptContext,
    locale: Locale,
    { text, view, vehicle_id: vehicleId, unread, cursor }: SearchInput,
  ): Promise<SearchResult> => {
    let before = parseCursor(Id, { cursor })
    const release = acquireSlot(userId)
    try {
      await enforceLimit(db, config, 'searchesPerHour', userLimitKey(keyring, 'search', userId))
      const readBatch = async () =>
        view === 'received'
          ? (await listReceived(db, userId, before, BATCH_SIZE, { vehicleId, unread: unread === 'true' })).map((row) =>
              toReceivedMessage(decryptContext, row),
            )
          : (await listSent(db, userId, before, BATCH_SIZE)).map((row) => toSentMessage(decryptContext, row))
      const isMatch = makeMatches(text, locale)
      const items: SearchResult['items'] = []
      for (let searched = 0; ; ) {
        const batch = await readBatch()
        for (const message of batch) {
          searched++
          before = message.id
          if (isMatch(message)) items.push(message)
          if (items.length === MAX_FOUND) break
        }
        const isWhole = batch.length < BATCH_SIZE && before === (batch.at(-1)?.id ?? before)
        if (isWhole) return { items, searched, next: null }
        if (items.length === MAX_FOUND || searched >= MAX_SEARCHED)
          return { items, searched, next: Buffer.from(before ?? '').toString('base64url') }
        await yieldToEventLoop()
      }
    } finally {
      release()
    }
  }
}
