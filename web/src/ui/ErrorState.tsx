import { CloudAlert } from 'lucide-react'
import { errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Button } from './Button.tsx'

type Props = {
  error: unknown
  onRetry: () => void
  /** Names what failed to load, where that is not obvious. */
  title?: string | undefined
}

/** Says why something failed to load, with a button that tries again. */
export function ErrorState({ error, onRetry, title }: Props) {
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-3 rounded-2xl border border-danger/30 bg-danger-soft px-6 py-10 text-center"
    >
      <CloudAlert aria-hidden="true" className="size-8 text-danger" strokeWidth={1.5} />
      <div className="text-danger">
        {title && <p className="font-bold">{title}</p>}
        <p className={title ? undefined : 'font-bold'}>{errorMessage(error)}</p>
      </div>
      <Button onClick={onRetry}>{m.action_retry()}</Button>
    </div>
  )
}
