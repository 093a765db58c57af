import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { messageQuery } from './queries.ts'

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Where a visit leads: which message, and which visit it is (the same link can be followed twice). */
export type Linked = { id: string; visit: string }

/**
 * The message the address points at (`#id`). One that is not among those loaded is fetched by itself: `apart`, which
 * it stays, wherever the list goes meanwhile. `error`: it could not be had; a 404 says that it is gone.
 *
 * @param loaded the messages of this view, undefined while they are being read
 */
export function useLinkedMessage<Message extends ReceivedMessage | SentMessage>(
  view: MessageView,
  loaded: readonly Message[] | undefined,
) {
  const { hash, key } = useLocation()
  const navigate = useNavigate()
  const id = ID.test(hash.slice(1)) ? hash.slice(1).toLowerCase() : null
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
    linked: id === null ? null : { id, visit: key },
    detached: data?.view === view ? data : null,
    error: missing ? error : null,
    retry: () => void refetch(),
  }
}
