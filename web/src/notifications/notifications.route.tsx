import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Bell, CheckCheck } from 'lucide-react'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorState } from '~/ui/ErrorState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import { NotificationItem } from './NotificationItem.tsx'
import { notificationsQuery, unreadCountQuery, useMarkAllRead, useMarkNotification } from './queries.ts'

export const handle: RouteHandle = { prefetch: [notificationsQuery] }

export const clientLoader = () => prefetchBeforeRender(notificationsQuery)

export const meta = () => privatePageMeta(m.nav_notifications())

/** Shows /dashboard/notifications (requirements §2). New ones appear live, through DashboardLayout. */
export default function NotificationsPage() {
  const list = useInfiniteQuery(notificationsQuery)
  const { data: unread } = useQuery(unreadCountQuery)
  const mark = useMarkNotification()
  const markAll = useMarkAllRead()
  const items = flattenPages(list.data)

  return (
    <div className="max-w-3xl">
      <PageHeader
        title={m.nav_notifications()}
        action={
          items.length > 0 && (
            <Button icon={CheckCheck} onClick={() => markAll.mutate()}>
              {m.notifications_mark_all_read()}
            </Button>
          )
        }
      >
        <p role="status">
          {items.length > 0 &&
            unread !== undefined &&
            (unread > 0 ? m.unread_count({ count: unread }) : m.notifications_all_read())}
        </p>
      </PageHeader>
      {list.isPending && <NotificationsSkeleton />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState icon={Bell} title={m.notifications_empty()}>
          {m.notifications_empty_text()}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className="grid gap-2.5">
          {items.map((item) => (
            <NotificationItem
              key={item.id}
              notification={item}
              onMark={(is_read) => mark.mutate({ id: item.id, is_read })}
            />
          ))}
        </ul>
      )}
      <LoadMore list={list} className="mx-auto mt-6 flex! w-fit" />
    </div>
  )
}

function NotificationsSkeleton() {
  return (
    <div role="status">
      <p className="pb-3 text-ink-soft">{m.notifications_loading()}</p>
      <div aria-hidden="true" className="grid gap-2.5">
        {[0, 1, 2, 3].map((line) => (
          <Skeleton key={line} className="h-19 rounded-xl" />
        ))}
      </div>
    </div>
  )
}
