import { useMutation } from '@tanstack/react-query'
import { listAuditLog } from '#contract/admin.ts'
import { getHealth, listFailedMails, retryFailedMail, retryFailedMails, retryWaitingMails } from '#contract/health.ts'
import { SECOND_MS } from '#contract/time.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { endpointQuery, pagedQuery } from '~/lib/query/paged'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'

const HEALTH_KEY = [ADMIN_QUERY_KEY, 'health']
const REFRESH_INTERVAL_MS = 15 * SECOND_MS

/** Fetches the state of the installation, as of a few seconds ago. */
export const healthQuery = {
  ...endpointQuery([...HEALTH_KEY, 'figures'], getHealth, {}),
  refetchInterval: REFRESH_INTERVAL_MS,
}

/** Fetches the emails that were given up, newest first, page by page. */
export const failedMailsQuery = pagedQuery([...HEALTH_KEY, 'failed-mails'], listFailedMails, {})

/** Fetches the audit log, the latest action first, page by page. */
export const auditLogQuery = pagedQuery([ADMIN_QUERY_KEY, 'audit-log'], listAuditLog, {})

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
  return useMutation({
    mutationFn: send,
    onSuccess: (count) => toast.success(m.health_mails_queued({ count })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: HEALTH_KEY }),
  })
}
