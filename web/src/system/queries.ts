import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listAuditLog } from '#contract/admin.ts'
import { getHealth, listFailedMails } from '#contract/health.ts'
import { SECOND_MS } from '#contract/time.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { call } from '~/lib/http/api'
import { cursorParams, pagedQueryOptions } from '~/lib/query/paged'

export const HEALTH_KEY = [ADMIN_QUERY_KEY, 'health']
const REFRESH_INTERVAL_MS = 15 * SECOND_MS

/** Fetches the state of the installation, as of a few seconds ago. */
export const healthQuery = queryOptions({
  queryKey: [...HEALTH_KEY, 'figures'],
  queryFn: ({ signal }) => call(getHealth, {}, { signal }),
  refetchInterval: REFRESH_INTERVAL_MS,
})

/** Fetches the emails that were given up, newest first, page by page. */
export const failedMailsQuery = infiniteQueryOptions({
  ...pagedQueryOptions,
  queryKey: [...HEALTH_KEY, 'failed-mails'],
  queryFn: ({ pageParam, signal }) => call(listFailedMails, cursorParams(pageParam), { signal }),
})

/** Fetches the audit log, the latest action first, page by page. */
export const auditLogQuery = infiniteQueryOptions({
  ...pagedQueryOptions,
  queryKey: [ADMIN_QUERY_KEY, 'audit-log'],
  queryFn: ({ pageParam, signal }) => call(listAuditLog, cursorParams(pageParam), { signal }),
})
