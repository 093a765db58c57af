import { refuse } from '../refusal.ts'

/**
 * Creates the slots of something that people may have in progress, so that what is slow or never ends cannot fill the
 * memory or keep others waiting.
 *
 * @param perUser the slots of one user
 * @param total those of all users together; without it, they are bounded by something else
 * @returns a function that acquires a slot and returns the function that releases it; it refuses with
 *   `too_many_requests` or `busy`
 */
export function createSlots({ perUser, total = Infinity }: { perUser: number; total?: number }) {
  const activeByUser = new Map<string, number>()
  let active = 0
  return (userId: string): (() => void) => {
    const userActive = activeByUser.get(userId) ?? 0
    if (userActive >= perUser) refuse('too_many_requests', { retryAfterS: 2 })
    if (active >= total) refuse('busy', { retryAfterS: 2 })
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
