import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox, Send } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import type { MessageView, SentMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { href } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { ButtonLink } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Tabs } from '~/ui/signed-in/Tabs'
import { MessageList } from './MessageList.tsx'
import { receivedQuery, sentQuery } from './queries.ts'
import { ReceivedCard } from './ReceivedCard.tsx'
import { SentCard } from './SentCard.tsx'

const QUEUED_REFETCH_MS = 15_000

const hasQueued = ({ items }: { items: SentMessage[] }) => items.some((item) => item.email_status === 'queued')

/** Renders /dashboard/messages: `?view=received|sent` chooses the tab, `#id` names a message (requirements §2). */
export function MessagesPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const view: MessageView = search.get('view') === 'sent' ? 'sent' : 'received'
  return (
    <div className="max-w-3xl">
      <PageHeader title={m.nav_messages()} />
      <Tabs
        label={m.nav_messages()}
        value={view}
        onChange={(next) => void navigate(href(paths.messages(next)), { replace: true, preventScrollReset: true })}
        tabs={[
          { value: 'received', label: m.messages_received(), content: <Received /> },
          { value: 'sent', label: m.messages_sent(), content: <Sent /> },
        ]}
      />
    </div>
  )
}

function Received() {
  const list = useInfiniteQuery(receivedQuery)
  return (
    <MessageList
      list={list}
      view="received"
      renderCard={(message, linked) => <ReceivedCard key={message.id} message={message} linked={linked} />}
      empty={
        <EmptyState
          icon={Inbox}
          title={m.messages_received_empty()}
          action={
            <ButtonLink to={paths.newVehicle()} variant="primary">
              {m.messages_add_vehicle()}
            </ButtonLink>
          }
        >
          {m.messages_received_empty_text()}
        </EmptyState>
      }
    />
  )
}

function Sent() {
  const list = useInfiniteQuery({
    ...sentQuery,
    // no live update tells the sender that an email was sent
    refetchInterval: ({ state }) => (state.data?.pages.some(hasQueued) ? QUEUED_REFETCH_MS : false),
  })
  return (
    <MessageList
      list={list}
      view="sent"
      renderCard={(message, linked) => <SentCard key={message.id} message={message} linked={linked} />}
      empty={
        <EmptyState
          icon={Send}
          title={m.messages_sent_empty()}
          action={
            <ButtonLink to={paths.send()} variant="primary">
              {m.action_send_a_message()}
            </ButtonLink>
          }
        >
          {m.messages_sent_empty_text()}
        </EmptyState>
      }
    />
  )
}
