import { refuse } from '../refusal.ts'

/** Uploads that may arrive at a time: each is held in memory whole, at most 10 MB of it. */
const MAX_CONCURRENT_UPLOADS = 24

/**
 * Gives uploads their places, so that what arrives slowly and never ends cannot fill the memory.
 *
 * @param maxPerUser places of one person
 * @returns takes a place and answers what gives it back; refuses with `too_many_requests` or `busy`
 */
export function createUploadSlots(maxPerUser: number): (userId: string) => () => void {
  const activeByUser = new Map<string, number>()
  let active = 0
  return (userId) => {
    const userActive = activeByUser.get(userId) ?? 0
    if (userActive >= maxPerUser) refuse('too_many_requests', { retryAfterS: 2 })
    if (active >= MAX_CONCURRENT_UPLOADS) refuse('busy', { retryAfterS: 2 })
    activeByUser.set(userId, userActive + 1)
    active++
    return () => {
      active--
      const remaining = (activeByUser.get(userId) ?? 1) - 1
      if (remaining > 0) activeByUser.set(userId, remaining)
      else activeByUser.delete(userId)
    }
  }
}
