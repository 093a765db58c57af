import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { useLinkedItem } from '~/ui/signed-in/use-linked-item'
import { messageQuery } from './queries.ts'

type Message = ReceivedMessage | SentMessage

/**
 * Returns the message the address names (`#id`), `null` while it is being fetched: one that is not among those loaded is
 * fetched separately. `error`: it could not be; a 404 says that it is gone.
 *
 * @param loaded the messages of this view that are loaded
 * @param isSettled whether no other may come with them
 */
export function useLinkedMessage(view: MessageView, loaded: readonly Message[] | undefined, isSettled: boolean) {
  const linked = useLinkedItem()
  const id = linked?.id ?? null
  const navigate = useNavigate()
  const listed = loaded?.find((message) => message.id === id)
  // a list of unread messages drops it as soon as it is opened
  const [last, setLast] = useState<Message>()
  if (listed && listed !== last) setLast(listed)
  const missing = id !== null && loaded !== undefined && isSettled && !listed
  const { data, error, refetch } = useQuery({ ...messageQuery(id ?? ''), enabled: missing })

  const otherView = missing && data !== undefined && data.view !== view ? data.view : null
  useEffect(() => {
    if (otherView && id) void navigate(href(paths.messages(otherView, id)), { replace: true })
  }, [otherView, id, navigate])

  const fetched = data?.view === view ? data : undefined
  return {
    linked,
    message: listed ?? fetched ?? (last?.id === id ? last : null),
    error: missing ? error : null,
    retry: () => void refetch(),
  }
}
