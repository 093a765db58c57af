import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, Inbox, MailCheck, SearchX, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { MessageView, ReceivedMessage, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import { Tabs } from '~/ui/signed-in/Tabs'
import { UUID } from '~/ui/signed-in/use-linked-item'
import { FindBar } from './FindBar.tsx'
import { useIsJustSent } from './just-sent.ts'
import { MessagePanes } from './MessagePanes.tsx'
import { type MessageSearch, messagesQuery, type ReceivedFilter, searchQuery, useMarkMessage } from './queries.ts'
import { takeReadMarks, useReadMarks } from './read-marks.ts'

export const handle: RouteHandle = { prefetch: [messagesQuery('received')] }

export const clientLoader = () => prefetchBeforeRender(messagesQuery('received'))

export const meta = () => privatePageMeta(m.nav_messages())

const QUEUED_REFETCH_MS = 15_000

const hasQueued = ({ items }: { items: (ReceivedMessage | SentMessage)[] }) =>
  items.some((item) => 'email_status' in item && item.email_status === 'queued')

/** Renders /dashboard/messages: `?view=received|sent` chooses the tab, `#id` names a message (requirements §2). */
export default function MessagesPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const isJustSent = useIsJustSent()
  const view: MessageView = search.get('view') === 'sent' ? 'sent' : 'received'
  return (
    // on a small screen an open message takes the place of everything above it
    <div className="max-lg:has-data-opened:[&_[data-behind],&_[role=tablist]]:hidden max-lg:has-data-opened:[&_[data-title]]:sr-only">
      <div data-title={isJustSent ? undefined : ''}>
        <PageHeader
          title={
            isJustSent ? (
              <>
                <CircleCheck aria-hidden="true" className="mr-2.5 inline size-8 align-[-0.2em] text-good" />
                {m.send_done_title()}
              </>
            ) : (
              m.nav_messages()
            )
          }
          titleRef={isJustSent ? focusIfLost : undefined}
        />
      </div>
      <Tabs
        label={m.nav_messages()}
        value={view}
        onChange={(next) => void navigate(href(paths.messages(next)), { replace: true, preventScrollReset: true })}
        tabs={[
          { value: 'received', label: m.messages_received(), content: <View view="received" /> },
          { value: 'sent', label: m.messages_sent(), content: <View view="sent" /> },
        ]}
      />
      <UndoReadBar />
    </div>
  )
}

/** Shows a view of messages, or what was found in it. */
function View({ view }: { view: MessageView }) {
  const [filter, setFilter] = useFilter(view)
  const [searched, setSearched] = useSearched()
  const list = useInfiniteQuery({
    ...messagesQuery(view, filter),
    // no live update notifies the sender that an email was sent
    refetchInterval: ({ state }) => (state.data?.pages.some(hasQueued) ? QUEUED_REFETCH_MS : false),
  })
  const isFiltered = filter.unread !== undefined || filter.vehicle_id !== undefined
  const canFind = isFiltered || searched !== '' || list.data?.pages.some(({ items }) => items.length > 0)
  return (
    <>
      {canFind && (
        <FindBar view={view} filter={filter} onFilter={setFilter} searched={searched} onSearch={setSearched} />
      )}
      {searched !== '' ? (
        <SearchResults search={{ text: searched, view, ...filter }} />
      ) : (
        <MessagePanes
          list={list}
          view={view}
          empty={
            isFiltered ? (
              <EmptyState
                icon={MailCheck}
                title={filter.unread ? m.messages_no_unread() : m.messages_none_for_vehicle()}
                action={<Button onClick={() => setFilter({})}>{m.messages_show_all()}</Button>}
              />
            ) : (
              <NoMessages view={view} />
            )
          }
        />
      )}
    </>
  )
}

function NoMessages({ view }: { view: MessageView }) {
  const isSent = view === 'sent'
  return (
    <EmptyState
      icon={isSent ? Send : Inbox}
      title={isSent ? m.messages_sent_empty() : m.messages_received_empty()}
      action={
        <ButtonLink to={isSent ? paths.send() : paths.newVehicle()} variant="primary">
          {isSent ? m.action_send_a_message() : m.messages_add_vehicle()}
        </ButtonLink>
      }
    >
      {isSent ? m.messages_sent_empty_text() : m.messages_received_empty_text()}
    </EmptyState>
  )
}

/** Shows the results of a search and how many messages it has gone through, with a button that searches older ones. */
function SearchResults({ search }: { search: MessageSearch }) {
  const list = useInfiniteQuery(searchQuery(search))
  const searched = list.data?.pages.reduce((sum, page) => sum + page.searched, 0) ?? 0
  return (
    <MessagePanes
      list={list}
      view={search.view}
      above={
        <p role="status" className="px-3 text-sm text-ink-soft">
          {m.messages_search_found({ count: flattenPages(list.data).length })}{' '}
          {list.hasNextPage ? m.messages_searched_newest({ count: searched }) : m.messages_searched_all()}
        </p>
      }
      empty={!list.hasNextPage && <EmptyState icon={SearchX} title={m.messages_search_none()} />}
      moreText={m.messages_search_older()}
    />
  )
}

/** Returns the words to search for, and what changes them, which closes the open message. They stand in no address. */
function useSearched(): [string, (text: string) => void] {
  const [searched, setSearched] = useState('')
  const navigate = useNavigate()
  const { search } = useLocation()
  const change = (text: string) => {
    setSearched(text)
    void navigate({ search }, { replace: true, preventScrollReset: true })
  }
  return [searched, change]
}

/** Returns the filter of received messages in the address of the page, and what changes it. An address may contain anything. */
function useFilter(view: MessageView): [ReceivedFilter, (filter: ReceivedFilter) => void] {
  const [search, setSearch] = useSearchParams()
  const vehicle = search.get('vehicle') ?? ''
  const filter: ReceivedFilter =
    view === 'received'
      ? {
          ...(UUID.test(vehicle) && { vehicle_id: vehicle }),
          ...(search.get('unread') === '1' && { unread: 'true' }),
        }
      : {}
  const setFilter = ({ vehicle_id, unread }: ReceivedFilter) =>
    setSearch(
      { view: 'received', ...(vehicle_id && { vehicle: vehicle_id }), ...(unread && { unread: '1' }) },
      { replace: true, preventScrollReset: true },
    )
  return [filter, setFilter]
}

/** Offers to undo 'Mark read' for some seconds. Always on the page, so that screen readers announce it. */
function UndoReadBar() {
  const count = useReadMarks().length
  const mark = useMarkMessage()
  const undo = () => {
    for (const id of takeReadMarks()) mark.mutate({ id, is_read: false })
  }
  return (
    <div role="status" className="undo-bar sticky bottom-[calc(1rem+var(--toast,0px))] z-10 empty:hidden">
      {count > 0 && (
        <div className="mx-auto flex max-w-md items-center justify-between gap-4 rounded-xl border border-line bg-surface py-2 pr-2 pl-4 shadow-float">
          <p className="font-bold">{m.messages_marked_read({ count })}</p>
          <Button icon={Undo2} ref={focusIfLost} onClick={undo}>
            {m.messages_undo()}
          </Button>
        </div>
      )}
    </div>
  )
}
