import { refuse } from '../refusal.ts'

/** Uploads that may arrive at a time: each is held in memory whole, at most 10 MB of it. */
const OF_ALL = 24

/**
 * Gives uploads their places, so that what arrives slowly and never ends cannot fill the memory.
 *
 * @param ofOne places of one person
 * @returns takes a place and answers what gives it back; refuses with `too_many_requests` or `busy`
 */
export function uploadPlaces(ofOne: number): (userId: string) => () => void {
  const taken = new Map<string, number>()
  let all = 0
  return (userId) => {
    const mine = taken.get(userId) ?? 0
    if (mine >= ofOne) refuse('too_many_requests', { retryAfterS: 2 })
    if (all >= OF_ALL) refuse('busy', { retryAfterS: 2 })
    taken.set(userId, mine + 1)
    all++
    return () => {
      all--
      const left = (taken.get(userId) ?? 1) - 1
      if (left > 0) taken.set(userId, left)
      else taken.delete(userId)
    }
  }
}
