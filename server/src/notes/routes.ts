import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/notes.ts'
import { plateKey } from '#contract/plates.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { createSemaphore, NOTE_HASH_SLOTS } from '../limits/semaphore.ts'
import { createSlots } from '../limits/slots.ts'
import { requestLocale } from '../locale.ts'
import { leaveNote } from './leave-note.ts'
import { noteFormRoutes } from './note-form.ts'
import { makeTryNote } from './note-tries.ts'
import { claimNote } from './read-note.ts'

const MAX_QUEUED_HASHES = 64

/** Registers the routes of notes on windshields (decision windshield-note). */
export function noteRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  const hashInTurn = createSemaphore(NOTE_HASH_SLOTS, MAX_QUEUED_HASHES)
  const noteContext = { ...context, hashInTurn }
  const tryNote = makeTryNote(noteContext)
  // so that nobody's notes fill the queue of hashes
  const acquireSlot = createSlots({ perUser: scaleLimit(LIMITS.concurrentSends.max, context.config) })

  userRoute(app, contract.leaveNote, async (message, { id, personHash }, { request }) => {
    const releaseSlot = acquireSlot(id)
    try {
      return await leaveNote(noteContext, { id, personHash, ip: request.ip, locale: requestLocale(request) }, message)
    } finally {
      releaseSlot()
    }
  })
  userRoute(app, contract.claimNote, async (key, actor, { request }) =>
    claimNote(context, await tryNote(key, request), actor.id, plateKey(key.plate)),
  )
  noteFormRoutes(app, context, tryNote, pages)
}
