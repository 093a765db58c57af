import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/notes.ts'
import { plateKey } from '#contract/plates.ts'
import type { AppContext } from '../context.ts'
import { userRoute } from '../http/route.ts'
import type { StaticPage } from '../http/static-pages.ts'
import { createFairQueue } from '../limits/fair-queue.ts'
import { LIMITS } from '../limits/limits.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { createSlots } from '../limits/slots.ts'
import { requestLocale } from '../locale.ts'
import { leaveNote } from './leave-note.ts'
import { noteFormRoutes } from './note-form.ts'
import { makeTryNote } from './note-tries.ts'
import { claimNote } from './read-note.ts'

/** How many codes a process hashes at a time: apart from passwords, so that many attempts with these delay no sign-in. */
const HASH_SLOTS = 1
const MAX_QUEUED_HASHES = 64

/** Registers the routes of notes on windshields (decision windshield-note). */
export function noteRoutes(app: FastifyInstance, context: AppContext, pages?: Map<string, StaticPage>) {
  const hashInTurn = createFairQueue(HASH_SLOTS, { maxWaiting: MAX_QUEUED_HASHES, retryAfterS: 2 })
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
