import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowUp, ChevronRight, Flag, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type CaseItem, type DeskState, listCases } from '#contract/cases.ts'
import { paths } from '#contract/paths.ts'
import { PagedList } from '~/admin/PagedList'
import { urlOf } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/prefetch-before-render'
import { queryClient } from '~/lib/query/query-client'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { Tabs } from '~/ui/signed-in/Tabs'
import { actionTexts, caseTitle } from './case-texts.ts'
import { DelayedActions } from './DelayedActions.tsx'
import { useDelayedActions } from './delayed-actions.ts'
import { casesQuery } from './queries.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useListShortcuts } from './use-keyboard-shortcuts.ts'

const FIRST = urlOf(listCases, { state: 'open' })

export const handle: RouteHandle = { prefetch: [FIRST] }

export const clientLoader = () =>
  prefetchBeforeRender(FIRST, () => queryClient.prefetchInfiniteQuery(casesQuery('open')))

export const meta = () => privatePageMeta(m.admin_reports_title())

/** Renders /admin/reports, the moderators' queue (decision moderation-desk). */
export default function ReportsPage() {
  useListShortcuts('a[data-case]')
  return (
    <>
      <PageHeader title={m.admin_reports_title()}>{m.reports_intro()}</PageHeader>
      <DelayedActions />
      <DeskTabs label={m.admin_reports_title()} render={(state) => <CaseList state={state} />} />
    </>
  )
}

function CaseList({ state }: { state: DeskState }) {
  const list = useInfiniteQuery(casesQuery(state))
  const delayed = useDelayedActions()
  const cases = flattenPages(list.data).filter(({ id }) => !delayed.some((one) => one.id === id))
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
        isEmpty={cases.length === 0}
        skeleton={<Skeleton className="h-72 rounded-2xl!" />}
        empty={
          <EmptyState icon={Flag} title={state === 'open' ? m.reports_empty() : m.reports_closed_empty()}>
            {state === 'open' && m.reports_empty_text()}
          </EmptyState>
        }
      >
        <ol
          aria-label={m.admin_reports_title()}
          className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface shadow-card"
        >
          {cases.map((item) => (
            <CaseRow key={item.id} item={item} />
          ))}
        </ol>
      </PagedList>
    </div>
  )
}

function CaseRow({ item }: { item: CaseItem }) {
  const { id, is_raised, reporters, created_at, decision } = item
  return (
    <li>
      <Link
        to={paths.adminReport(id)}
        data-case={id}
        className="flex items-center gap-3 px-5 py-4 hover:bg-sunken focus-visible:-outline-offset-2 sm:px-6"
      >
        <span className="grid min-w-0 flex-1 gap-1.5 sm:flex sm:items-center sm:gap-4">
          <span className="font-bold sm:min-w-56">{caseTitle(item)}</span>
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-soft">
            <RelativeTime iso={created_at} />
            <span className="inline-flex items-center gap-1">
              <Users aria-hidden="true" className="size-4" />
              {m.case_reporters({ count: reporters })}
            </span>
            {is_raised && !decision && (
              <Badge icon={ArrowUp} tone="danger">
                {m.case_raised()}
              </Badge>
            )}
            {decision && <Badge>{actionTexts(decision.action, item.side).done()}</Badge>}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      </Link>
    </li>
  )
}

/** Shows what is open and what is closed under two tabs; `?state=closed` in the address chooses the second one. */
function DeskTabs({ label, render }: { label: string; render: (state: DeskState) => ReactNode }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const state: DeskState = search.get('state') === 'closed' ? 'closed' : 'open'
  return (
    <Tabs
      label={label}
      value={state}
      onChange={(next) =>
        void navigate({ search: next === 'closed' ? '?state=closed' : '' }, { replace: true, preventScrollReset: true })
      }
      tabs={[
        { value: 'open', label: m.desk_tab_open(), content: render('open') },
        { value: 'closed', label: m.desk_tab_closed(), content: render('closed') },
      ]}
    />
  )
}
