import { useState } from 'react'
import { ApiError } from './api.ts'

/** Makes attempts, one at a time. Says which is being made, and why the last one failed: what it threw. */
export function useAttempt() {
  const [pending, setPending] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  return {
    /** The name of the attempt; null while there is none. */
    pending,
    failure,
    async attempt(work: () => Promise<unknown>, name = 'attempt') {
      if (pending !== null) return
      setFailure(null)
      setPending(name)
      await work().catch((error: unknown) => setFailure(reportBug(error)))
      setPending(null)
    },
  }
}

/** Returns what was thrown; what is no answer of the server is a bug. */
export function reportBug(error: unknown): unknown {
  if (!(error instanceof ApiError)) console.error(error)
  return error
}
