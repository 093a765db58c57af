import { useState } from 'react'
import { ApiError, errorMessage } from '~/lib/http/api'
import { FailureAlert } from '~/ui/FailureAlert'

/** Holds what a button does: `attempt` does the work, unless it fails; then the button can be pressed again. */
export function useAttempt(work: () => Promise<void>) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const attempt = () => {
    setPending(true)
    setFailure(null)
    work().catch((error: unknown) => {
      setFailure(error)
      setPending(false)
    })
  }
  return { pending, failure, attempt }
}

/** Says why the last try failed, and announces it. */
export function NoteFailure({ error }: { error: unknown }) {
  const isLimit = error instanceof ApiError && error.status === 429
  return (
    <div role="alert" className="empty:hidden">
      {error !== null && <FailureAlert tone={isLimit ? 'warn' : 'danger'} title={errorMessage(error)} />}
    </div>
  )
}
