import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { useLinkedItem } from '~/ui/signed-in/use-linked-item'
import { messageQuery } from './queries.ts'

/**
 * Returns the message the address names (`#id`). One that is not among those loaded is fetched separately and stays
 * `detached`, even when the list loads it later. `error`: it could not be fetched; a 404 says that it is gone.
 *
 * @param loaded the messages of this view; undefined while they are being loaded
 */
export function useLinkedMessage<Message extends ReceivedMessage | SentMessage>(
  view: MessageView,
  loaded: readonly Message[] | undefined,
) {
  const linked = useLinkedItem()
  const id = linked?.id ?? null
  const navigate = useNavigate()
  const missing = id !== null && loaded !== undefined && !loaded.some((message) => message.id === id)
  const { data, error, refetch } = useQuery({
    ...messageQuery(id ?? ''),
    enabled: ({ state }) => missing || state.data !== undefined,
  })

  const otherView = data !== undefined && data.view !== view ? data.view : null
  useEffect(() => {
    if (otherView && id) void navigate(href(paths.messages(otherView, id)), { replace: true })
  }, [otherView, id, navigate])

  return {
    linked,
    detached: data?.view === view ? data : null,
    error: missing ? error : null,
    retry: () => void refetch(),
  }
}
