import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { nudgeMessage, type SentMessage } from '#contract/messages.ts'
import { DAY_MS } from '#contract/time.ts'
import { call } from '~/lib/http/api'
import { useNow } from '~/lib/time/use-now'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { WhoToCall } from './WhoToCall.tsx'

/** Offers the one reminder about a message nobody has answered, and whom else to call while it may still matter. */
export function NoAnswer({ message }: { message: SentMessage }) {
  const queries = useQueryClient()
  const isRecent = Date.parse(message.inserted_at) > useNow() - DAY_MS
  const nudge = useMutation({
    networkMode: 'always',
    mutationFn: () => call(nudgeMessage, { id: message.id }),
    onSuccess: () => toast.success(m.nudge_done()),
    onError: toast.error,
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (
    <div className="grid gap-3 rounded-xl bg-sunken p-4">
      {message.nudged ? (
        <p className="text-sm text-ink-soft">{m.nudge_used()}</p>
      ) : (
        <div className="grid gap-2 sm:flex sm:flex-wrap sm:items-center sm:gap-4">
          <Button pending={nudge.isPending} onClick={() => nudge.mutate()}>
            {!nudge.isPending && <BellRing aria-hidden="true" className="size-5" />}
            {m.nudge_send()}
            <span className="sr-only">{message.plate}</span>
          </Button>
          <p className="text-sm text-ink-soft">{m.nudge_hint()}</p>
        </div>
      )}
      {isRecent && <WhoToCall />}
    </div>
  )
}
