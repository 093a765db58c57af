import { ApiError, errorMessage } from '~/lib/http/api'
import { FailureAlert } from '~/ui/FailureAlert'

/** Says why the last try failed, and announces it. */
export function NoteFailure({ error }: { error: unknown }) {
  const isLimit = error instanceof ApiError && error.status === 429
  return (
    <div role="alert" className="empty:hidden">
      {error !== null && <FailureAlert tone={isLimit ? 'warn' : 'danger'} title={errorMessage(error)} />}
    </div>
  )
}
