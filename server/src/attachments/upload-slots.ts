import { refuse } from '../refusal.ts'

/** Limits the uploads in progress, because each is in memory as a whole, up to 10 MB. */
const MAX_CONCURRENT_UPLOADS = 24

/**
 * Creates the slots of uploads in progress, so that uploads that are slow or never end cannot fill the memory.
 *
 * @param maxPerUser the slots of one user
 * @returns a function that acquires a slot and returns the function that releases it; it refuses with
 *   `too_many_requests` or `busy`
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
