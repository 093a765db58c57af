import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { ANSWERS, type MessageView, type ReceivedMessage, type SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { ApiError } from '~/lib/http/api'
import { href, Link } from '~/lib/i18n/i18n'
import { flattenPages } from '~/lib/query/paged'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { ErrorState } from '~/ui/ErrorState'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { LoadMore } from '~/ui/signed-in/LoadMore'
import { type LinkedItem, useLinkedItem } from '~/ui/signed-in/use-linked-item'
import { MessageRow, rowId } from './MessageRow.tsx'
import { messageQuery } from './queries.ts'
import { ReceivedCard } from './ReceivedCard.tsx'
import { SentCard } from './SentCard.tsx'

type Message = ReceivedMessage | SentMessage

type Props = {
  list: UseInfiniteQueryResult<{ pages: { items: Message[] }[] }>
  view: MessageView
  /** Shown above the messages of the list. */
  above?: ReactNode
  empty: ReactNode
  /** The button that loads older ones. */
  moreText?: string
}

/**
 * Shows a list of messages, newest first, and the one that is open: the one that the address names. On a large screen it is beside the
 * list, and without one in the address the newest is, which does not count as read; on a small one it takes the place of the list.
 */
export function MessagePanes({ list, view, above, empty, moreText }: Props) {
  const messages = list.data && flattenPages(list.data)
  // while the list is being refetched, the linked message may still arrive with it
  const { linked, message, error, retry } = useLinkedMessage(view, messages, !list.isRefetching)
  const [search] = useSearchParams()
  const { state } = useLocation()
  const now = useNow()
  useRowOfLinked(linked?.id, messages !== undefined)

  // what arrives later does not take its place
  const [firstId, setFirstId] = useState<string>()
  const first = messages?.find(({ id }) => id === firstId) ?? messages?.[0]
  if (first && first.id !== firstId) setFirstId(first.id)

  if (!messages) return list.error ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : <Opening />
  const isGone = error instanceof ApiError && error.status === 404
  const isLinkedOpen = linked !== null && !error
  const open = isLinkedOpen ? message : first
  const addressOf = (id: string) => {
    const { vehicle, unread } = Object.fromEntries(search)
    const params = new URLSearchParams({ view, ...(vehicle && { vehicle }), ...(unread && { unread }) })
    return `${paths.messages()}?${params.toString()}#${id}`
  }
  const openState: unknown = linked && state !== FROM_LIST ? null : FROM_LIST
  return (
    <>
      {isGone ? (
        <p role="status" className="mb-4 rounded-xl border border-line bg-sunken p-4">
          {m.messages_gone()}
        </p>
      ) : (
        error && <ErrorState error={error} onRetry={retry} />
      )}
      <div
        className={clsx(
          (open || isLinkedOpen) && 'lg:grid lg:grid-cols-[minmax(17rem,2fr)_minmax(0,3fr)] lg:items-start lg:gap-6',
        )}
      >
        <div data-behind="" className={messages.length > 0 ? LIST : 'grid gap-3'}>
          {above}
          {messages.length === 0 && empty}
          <ul className="grid grid-cols-1 gap-0.5 empty:hidden">
            {messages.map((one) => (
              <MessageRow
                key={one.id}
                message={one}
                now={now}
                isOpen={one.id === open?.id}
                // Back leads to the list, however many were opened beside it
                link={{ to: addressOf(one.id), replace: linked !== null, state: openState }}
              />
            ))}
          </ul>
          <LoadMore list={list} className="justify-self-center" {...(moreText && { text: moreText })} />
        </div>
        <div data-opened={isLinkedOpen || undefined} className={isLinkedOpen ? 'min-w-0' : 'min-w-0 max-lg:hidden'}>
          {isLinkedOpen && <BackToList view={view} isBehind={state === FROM_LIST} />}
          {open ? (
            <OpenMessage key={open.id} message={open} linked={isLinkedOpen ? linked : null} />
          ) : (
            isLinkedOpen && <Opening />
          )}
        </div>
      </div>
    </>
  )
}

// on a large screen it fits below what is above it, and stays in sight beside a long message
const LIST =
  '-mx-3 grid grid-cols-1 gap-3 lg:sticky lg:top-6 lg:mx-0 lg:max-h-[max(24rem,calc(100dvh-20rem))] lg:overflow-y-auto lg:p-1.5'

/** Marks in the history that the list is the entry before. */
const FROM_LIST = 'from-list'

function BackToList({ view, isBehind }: { view: MessageView; isBehind: boolean }) {
  const navigate = useNavigate()
  return (
    <Link
      to={paths.messages(view)}
      replace
      className="link -mt-8 mb-1 flex min-h-11 w-fit items-center gap-1.5 lg:hidden"
      onClick={(event) => {
        if (!isBehind) return
        event.preventDefault()
        void navigate(-1)
      }}
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {m.messages_back()}
    </Link>
  )
}

type OpenProps = { message: Message; linked: LinkedItem | null }

function OpenMessage({ message, linked }: OpenProps) {
  const [search] = useSearchParams()
  if (!('is_read' in message)) return <SentCard message={message} linked={linked} />
  const offered = linked && (ANSWERS.find((answer) => answer === search.get('answer')) ?? null)
  return <ReceivedCard message={message} linked={linked} offered={offered} />
}

/**
 * Returns the message the address names (`#id`), `null` while it is being fetched: one that is not among those loaded is
 * fetched separately. `error`: it could not be; a 404 says that it is gone.
 *
 * @param loaded the messages of this view that are loaded
 * @param isSettled whether no other may come with them
 */
function useLinkedMessage(view: MessageView, loaded: readonly Message[] | undefined, isSettled: boolean) {
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

/** Brings the row of a message that is opened into sight, and gives it the focus when the message is closed with the focus in it. */
function useRowOfLinked(openId: string | undefined, isLoaded: boolean) {
  const last = useRef(openId)
  useEffect(() => {
    const at = document.activeElement
    const isLost = at === document.body || at?.getClientRects().length === 0
    if (!openId && last.current && isLost) document.getElementById(rowId(last.current))?.focus({ preventScroll: true })
    last.current = openId
  }, [openId])
  useEffect(() => {
    if (openId && isLoaded) document.getElementById(rowId(openId))?.scrollIntoView({ block: 'nearest' })
  }, [openId, isLoaded])
}

const Opening = () => (
  <Loading>
    <Skeleton className="h-96 w-full rounded-2xl" />
  </Loading>
)
