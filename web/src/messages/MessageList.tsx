import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { MessageDetail, MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { ApiError } from '~/lib/http/api'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import type { LinkedItem } from '~/ui/signed-in/use-linked-item'
import { useLinkedMessage } from './use-linked-message.ts'

type Props<Message> = {
  list: UseInfiniteQueryResult<{ pages: { items: Message[] }[] }>
  view: MessageView
  renderCard: (message: Message, linked: LinkedItem | null) => ReactNode
  empty: ReactNode
}

/** Shows one tab in every state of loading: the message the address names, then the others, newest first. */
export function MessageList<Message extends ReceivedMessage | SentMessage>({
  list,
  view,
  renderCard,
  empty,
}: Props<Message>) {
  const messages = list.data && flattenPages(list.data)
  // while the list is being refetched, the linked message may still arrive with it
  const { linked, detached, error, retry } = useLinkedMessage(view, list.isRefetching ? undefined : messages)
  const others = messages?.filter(({ id }) => id !== detached?.id) ?? []
  const { newerCount, showNewer } = usePauseLiveUpdates(others.map(({ id }) => id))
  const linkedFor = (id: string) => (linked?.id === id ? linked : null)

  if (list.isPending) return <MessagesSkeleton />
  if (!messages) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="grid gap-4">
      <div role="status" className="sticky top-20 z-10 flex justify-center empty:hidden lg:top-4">
        {newerCount > 0 && (
          <Button className="rounded-full! shadow-float" onClick={showNewer}>
            <ArrowUp aria-hidden="true" className="size-5" />
            {m.messages_new({ count: newerCount })}
          </Button>
        )}
      </div>
      {error instanceof ApiError && error.status === 404 ? (
        <p role="status" className="rounded-xl border border-line bg-sunken p-4">
          {m.messages_gone()}
        </p>
      ) : (
        error && <ErrorState error={error} onRetry={retry} />
      )}
      {detached && (
        <section aria-label={m.messages_opened()} className="grid gap-3 border-b border-line pb-6">
          <h2 className="text-lg font-bold">{m.messages_opened()}</h2>
          {renderCard(detached as MessageDetail & Message, linkedFor(detached.id))}
        </section>
      )}
      {messages.length === 0 && !detached && empty}
      <ul className="grid gap-4">
        {others.slice(newerCount).map((message) => (
          <li key={message.id}>{renderCard(message, linkedFor(message.id))}</li>
        ))}
      </ul>
      <LoadMore list={list} className="justify-self-center" />
    </div>
  )
}

function MessagesSkeleton() {
  return (
    <Loading>
      <div className="grid gap-4">
        {['first', 'second', 'third'].map((item) => (
          <div key={item} className="grid gap-4 rounded-2xl border border-line bg-surface p-5 sm:p-6">
            <div className="flex items-start justify-between">
              <Skeleton className="h-14 w-28" />
              <Skeleton className="h-5 w-24" />
            </div>
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-5 w-2/3" />
          </div>
        ))}
      </div>
    </Loading>
  )
}

const SCROLLED_PX = 160

/**
 * Keeps live updates from pushing down what somebody is reading or writing: while the page is scrolled down, or a form
 * is being filled in, the list stays as it was, and newer messages are only counted.
 *
 * @param ids the ids in the list, newest first
 * @returns how many at the top to leave out, and a function that shows them
 */
function usePauseLiveUpdates(ids: readonly string[]) {
  const [pausedAtId, setPausedAtId] = useState<string | null>(null)

  const updatePause = useEffectEvent(() => {
    const busy = scrollY > SCROLLED_PX || document.activeElement?.closest('form') != null
    if (!busy) setPausedAtId(null)
    else setPausedAtId((id) => id ?? ids[0] ?? null)
  })
  useEffect(() => {
    const onChange = () => updatePause()
    addEventListener('scroll', onChange, { passive: true })
    document.addEventListener('focusin', onChange)
    document.addEventListener('focusout', onChange)
    return () => {
      removeEventListener('scroll', onChange)
      document.removeEventListener('focusin', onChange)
      document.removeEventListener('focusout', onChange)
    }
  }, [])

  return {
    newerCount: pausedAtId === null ? 0 : Math.max(0, ids.indexOf(pausedAtId)),
    showNewer: () => {
      setPausedAtId(null)
      scrollTo({ top: 0 })
    },
  }
}
