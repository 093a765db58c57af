import { useInfiniteQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { PagedList } from '~/admin/PagedList'
import { privatePageMeta } from '~/lib/page/page-meta'
import { flattenPages } from '~/lib/query/paged'
import { DelayedActions } from '~/moderation/DelayedActions'
import { ShortcutHelp } from '~/moderation/ShortcutHelp'
import { useListShortcuts } from '~/moderation/use-keyboard-shortcuts'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Tabs } from '~/ui/signed-in/Tabs'
import { AppealItem } from './AppealItem.tsx'
import { type AppealState, appealsQuery } from './queries.ts'

export const meta = () => privatePageMeta(m.appeals_title())

/** Renders /admin/appeals: the open appeals, the oldest first, and the decided ones (decision sanctions-and-appeals). */
export default function AppealsPage() {
  const [params, setParams] = useSearchParams()
  const state: AppealState = params.get('state') === 'closed' ? 'closed' : 'open'
  useListShortcuts('button[data-appeal]')
  return (
    <>
      <PageHeader title={m.appeals_title()}>{m.appeals_intro()}</PageHeader>
      <DelayedActions />
      <Tabs
        label={m.appeals_tabs()}
        value={state}
        onChange={(next) => setParams(next === 'closed' ? { state: next } : {}, { replace: true })}
        tabs={[
          { value: 'open', label: m.appeals_tab_open(), content: <List state="open" /> },
          { value: 'closed', label: m.appeals_tab_closed(), content: <List state="closed" /> },
        ]}
      />
    </>
  )
}

function List({ state }: { state: AppealState }) {
  const list = useInfiniteQuery(appealsQuery(state))
  const appeals = flattenPages(list.data)
  return (
    <div className="grid gap-4">
      <ShortcutHelp
        label={m.keys_label()}
        keys={[
          ['j / ↓', m.keys_next()],
          ['k / ↑', m.keys_previous()],
          ['Enter', m.keys_open()],
          ['u', m.keys_undo()],
        ]}
      />
      <PagedList
        list={list}
        isEmpty={appeals.length === 0}
        skeleton={<Skeleton className="h-48 rounded-2xl!" />}
        empty={
          state === 'open' ? (
            <EmptyState icon={Scale} title={m.appeals_empty()}>
              {m.appeals_empty_text()}
            </EmptyState>
          ) : (
            <EmptyState icon={Scale} title={m.appeals_none_closed()} />
          )
        }
      >
        <ul aria-label={m.appeals_title()} className="grid gap-5">
          {appeals.map((appeal) => (
            <AppealItem key={appeal.id} appeal={appeal} />
          ))}
        </ul>
      </PagedList>
    </div>
  )
}
