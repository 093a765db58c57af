import { CloudAlert } from 'lucide-react'
import { errorMessage } from '~/lib/api'
import { m } from '~/paraglide/messages'
import { Button } from './Button.tsx'

/** What was asked for did not come: why, and a button that asks again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-2xl border border-danger/30 bg-danger-soft px-6 py-10 text-center"
    >
      <CloudAlert aria-hidden="true" className="size-8 text-danger" strokeWidth={1.5} />
      <p className="font-bold text-danger">{errorMessage(error)}</p>
      <Button onClick={onRetry}>{m.action_retry()}</Button>
    </div>
  )
}
