import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { LIMITS } from '../limits/limits.ts'
import { clientNetwork } from '../limits/network.ts'
import { scaleLimit } from '../limits/rate-limiter.ts'
import { refuse } from '../refusal.ts'
import { sendError } from './errors.ts'
import { WORK_CLASSES, type WorkClass } from './work-class.ts'

/** So many calls may wait for each place … */
const WAITING_PER_PLACE = 64
/** … for so long at most. */
const WAIT_MS = 4_000
/** Whether a line is an overload is judged by what came and ended in so long … */
const WINDOW_MS = 400
/** … but not for so long where many of those in progress are slower than that: a database that stalls says nothing about how much work there is. */
const LONGEST_STALL_MS = 2_500

/** Somebody's place among what is in progress. */
type Place = { takenAt: number }
type Places = ReturnType<typeof createPlaces>

/**
 * Returns the places of a class of work, of which a process has so many at a time. Others wait in line, first come, first served: a
 * burst is over in a moment, and a database that stalled works on. A line is an overload when it is full, or when more than twice as
 * many calls come as end: until it is empty no more may wait than there are places, and what comes beyond that is refused at once,
 * because whoever waited there would only be served later than the one who is served in their stead. Where one waits in vain,
 * nobody else does until a call ends (decision overload-protection).
 */
export function createPlaces(max: number, waitMs: number) {
  const inProgress = new Set<Place>()
  const waiting = new Set<(place: Place | null) => void>()
  let perPlace = WAITING_PER_PLACE
  let window = { beganAt: 0, length: 0, ended: 0 }
  // when the line began, or what was in progress was last seen to be quick
  let quickAt = 0

  const take = () => {
    const place = { takenAt: performance.now() }
    inProgress.add(place)
    return place
  }
  /** Tells whether more than a sixteenth of the places has been taken for longer than a window. */
  const isSlow = (now: number) => {
    let others = max / 16
    for (const { takenAt } of inProgress) if (--others < 0) return now - takenAt > WINDOW_MS
    return false
  }
  /** Looks at the line as a call ends. The first window of a line, and after a stall, only tells how long it is. */
  const judgeLine = () => {
    const now = performance.now()
    const slow = isSlow(now)
    if (perPlace === 0) perPlace = 1
    if (slow && now - quickAt < LONGEST_STALL_MS) {
      // a process with thousands of calls in line is slow for a while after a stall, too
      window = { beganAt: now + (now - quickAt) / 2, length: Infinity, ended: 0 }
      return
    }
    if (waiting.size >= max * WAITING_PER_PLACE) perPlace = 1
    window.ended++
    if (now - window.beganAt < WINDOW_MS) return
    if (waiting.size - window.length > window.ended) perPlace = 1
    if (!slow) quickAt = now
    window = { beganAt: now, length: waiting.size, ended: 0 }
  }

  return {
    get taken(): number {
      return inProgress.size
    },
    /** Tells whether a call that comes now is to be refused. */
    isOverloaded(): boolean {
      return inProgress.size >= max && waiting.size >= max * perPlace
    },
    /** Takes a place if one is free. */
    take(): Place | null {
      return inProgress.size < max ? take() : null
    },
    /** Waits for a place. Returns null when there is none in time. Who has waited before, for what came of its body since, joins any line. */
    wait(hasWaited: boolean): Promise<Place | null> {
      if (!hasWaited && this.isOverloaded()) return Promise.resolve(null)
      if (waiting.size === 0) {
        quickAt = performance.now()
        window = { beganAt: quickAt, length: Infinity, ended: 0 }
      }
      return new Promise((resolve) => {
        const end = (place: Place | null) => {
          clearTimeout(timeout)
          waiting.delete(end)
          resolve(place)
        }
        const timeout = setTimeout(() => {
          perPlace = 0
          end(null)
        }, waitMs)
        waiting.add(end)
      })
    },
    /** Gives a place back, to the call that has waited for one longest. */
    release(place: Place): void {
      const [next] = waiting
      if (next) judgeLine()
      else perPlace = WAITING_PER_PLACE
      inProgress.delete(place)
      next?.(take())
    },
  }
}

/** The details of a refusal when all places are taken. */
const BUSY = { retryAfterS: 1 }

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request as in progress, or refuses it; for a part of the app that has its own order of hooks. */
    admit(request: FastifyRequest): void
    /** Tells how much of each class is in progress, for the metrics. */
    workInProgress(workClass: WorkClass): number
  }
  interface FastifyRequest {
    /** Its entry among what is in progress, once it is admitted. */
    work: Work | null
  }
}

type Work = {
  workClass: WorkClass
  caller: string
  /** Null while it waits for one, and while its body arrives: a client that is slow takes nobody's place. */
  place: Place | null
  /** `left` when its client is gone before its handler has begun. */
  state: 'open' | 'left' | 'ended'
  /** Whether its handler has begun, which then ends it, also when the client has left. */
  isHandled: boolean
}

/**
 * Bounds what is in progress (decision overload-protection). Beyond what a process can do at a time a call is refused with `busy`,
 * before its token is looked up and its body read: whoever is admitted gets an answer in good time, and whoever is not can try
 * another process. Nobody takes many places while there are few left. In a burst and a stall calls wait for a place (`createPlaces`).
 *
 * Calls have a number of places in all, and reads of files, whose store may hang, have as many of their own (decision photos-and-files).
 * Passwords, images and exports have queues of their own where the work is done (`auth/password.ts`,
 * `attachments/image-processes.ts`, `profile/export-account.ts`), because who may wait depends on more than the request; here only
 * each caller's share of sign-ins is bounded.
 *
 * @param getTokenOwner reads the token without the database
 */
export function registerAdmission(
  app: FastifyInstance,
  config: Pick<Config, 'LIMIT_SCALE' | 'MAX_CONCURRENT_CALLS'>,
  getTokenOwner: (request: FastifyRequest) => string | null,
  waitMs = WAIT_MS,
): void {
  const maxOfClass = config.MAX_CONCURRENT_CALLS
  const maxOfCaller = scaleLimit(LIMITS.concurrentCalls.max, config)
  const maxOfCallerWhenFull = scaleLimit(LIMITS.concurrentCallsWhenFull.max, config)
  const maxSignIns = scaleLimit(LIMITS.concurrentSignIns.max, config)
  const byCaller = new Map<string, number>()

  const hasPlaces = (workClass: WorkClass) => workClass === 'calls' || workClass === 'file'
  const places = Object.fromEntries(
    WORK_CLASSES.map((workClass) => [workClass, createPlaces(hasPlaces(workClass) ? maxOfClass : Infinity, waitMs)]),
  ) as Record<WorkClass, Places>
  const maxFor = (workClass: WorkClass) => {
    if (!hasPlaces(workClass)) return workClass === 'sign_in' ? maxSignIns : Infinity
    return places[workClass].taken < maxOfClass / 2 ? maxOfCaller : maxOfCallerWhenFull
  }
  const takeShare = (workClass: WorkClass, caller: string) => {
    const own = byCaller.get(caller) ?? 0
    if (own >= maxFor(workClass)) refuse('too_many_requests', { retryAfterS: 1 })
    byCaller.set(caller, own + 1)
  }
  const admit = (request: FastifyRequest) => {
    const { workClass } = request
    if (workClass === null) return
    // sign-ins by network: whose token it is says nothing about who signs in
    const userId = workClass === 'sign_in' ? null : getTokenOwner(request)
    const caller = `${workClass} ${userId ?? clientNetwork(request.ip)}`
    takeShare(workClass, caller)
    request.work = { workClass, caller, place: places[workClass].take(), state: 'open', isHandled: false }
  }
  const giveBack = (work: Work) => {
    if (work.place) places[work.workClass].release(work.place)
    work.place = null
  }
  /** Lets a call run as soon as it has a place. Returns false when there was none in time, or its client has left. */
  const start = async (work: Work) => {
    const ofClass = places[work.workClass]
    work.place = ofClass.take() ?? (await ofClass.wait(work.isHandled))
    if (work.state !== 'open') giveBack(work)
    return work.place !== null
  }
  const leave = ({ work }: FastifyRequest, state: 'left' | 'ended') => {
    if (work?.state !== 'open') return
    giveBack(work)
    work.state = state
    const own = (byCaller.get(work.caller) ?? 1) - 1
    if (own > 0) byCaller.set(work.caller, own)
    else byCaller.delete(work.caller)
  }

  app.decorate('admit', admit)
  app.decorate('workInProgress', (workClass: WorkClass) => places[workClass].taken)
  app.decorateRequest('work', null)
  app.addHook('onRequest', async (request, reply) => {
    const { workClass } = request
    if (workClass === null) return
    // sent, not thrown: that would cost more than the rest of the answer
    if (places[workClass].isOverloaded()) return sendError(request, reply, 'busy', BUSY)
    // parts of the app with hooks of their own admit when their headers are set
    if (workClass !== 'sign_in') admit(request)
    reply.raw.once('close', () => {
      // a body that nobody has read is lost with the connection, and the handler never begins: nothing else would end the entry
      if (!request.work?.isHandled) leave(request, 'left')
    })
    const { work } = request
    if (work?.place === null && !(await start(work))) return sendError(request, reply, 'busy', BUSY)
  })
  app.addHook('preParsing', ({ work, raw }, _, __, done) => {
    if (work && !raw.complete) giveBack(work)
    done()
  })
  app.addHook('preValidation', async (request, reply) => {
    const { work } = request
    if (!work || work.state === 'ended') return
    work.isHandled = true
    if (work.place) return
    // not skipped: what somebody asked for right before they lost their network is done
    if (work.state === 'left') {
      takeShare(work.workClass, work.caller)
      work.state = 'open'
    }
    // others have taken the places while its body arrived, or since its client left
    if (!(await start(work))) return sendError(request, reply, 'busy', BUSY)
  })
  app.addHook('onSend', (request, reply, _, done) => {
    // an export is read while it is sent, to a client that is still there
    if (request.work?.workClass === 'export' && !reply.raw.destroyed)
      reply.raw.once('close', () => leave(request, 'ended'))
    else leave(request, 'ended')
    done()
  })
}
