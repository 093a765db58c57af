import { refuse } from '../refusal.ts'

/** What one upload takes of the memory. */
export type UploadMemory = {
  /** Reserves memory for bytes that arrived. Returns false when there is none. */
  take(bytes: number): boolean
  release(): void
}

/**
 * Bounds the memory of all uploads together, by what has arrived of them: an upload that is slow, or that never goes on,
 * takes no more than it has sent, and keeps nobody else's out.
 *
 * @returns a function that opens the account of one upload; it refuses with `busy` when the memory is full
 */
export function createUploadMemory(maxBytes: number): () => UploadMemory {
  let used = 0
  return () => {
    if (used >= maxBytes) refuse('busy', { retryAfterS: 2 })
    let own = 0
    return {
      take(bytes) {
        if (used + bytes > maxBytes) return false
        used += bytes
        own += bytes
        return true
      },
      release() {
        used -= own
        own = 0
      },
    }
  }
}
