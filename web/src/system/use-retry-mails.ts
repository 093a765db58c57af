import { useMutation, useQueryClient } from '@tanstack/react-query'
import { retryFailedMail, retryFailedMails, retryWaitingMails } from '#contract/health.ts'
import { call } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { HEALTH_KEY } from './queries.ts'

/** What to send: one failed email, all failed ones, or those that wait for their next try. */
type MailsToRetry = { id: string } | 'failed' | 'waiting'

async function send(which: MailsToRetry): Promise<number> {
  if (which === 'failed') return (await call(retryFailedMails, {})).count
  if (which === 'waiting') return (await call(retryWaitingMails, {})).count
  await call(retryFailedMail, which)
  return 1
}

/** Makes the server send emails now, shows how many, and refetches their state. */
export function useRetryMails() {
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: send,
    onSuccess: (count) => toast.success(m.health_mails_queued({ count })),
    onError: (error) => toast.error(error),
    onSettled: () => queries.invalidateQueries({ queryKey: HEALTH_KEY }),
  })
}
