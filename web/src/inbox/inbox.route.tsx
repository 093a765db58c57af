import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ArrowUp, CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { INBOX_KINDS, type InboxItem, type InboxKind, type InboxState } from '#contract/inbox.ts'
import { paths } from '#contract/paths.ts'
import { PagedList } from '~/admin/frame/PagedList'
import { inboxCountsQuery } from '~/admin/frame/queries'
import { href, Link } from '~/lib/i18n/i18n'
import { verbatim } from '~/lib/i18n/verbatim'
import { privatePageMeta } from '~/lib/page/page-meta'
import type { RouteHandle } from '~/lib/page/route-handle'
import { flattenPages } from '~/lib/query/paged'
import { prefetchBeforeRender } from '~/lib/query/query-client'
import { useNow } from '~/lib/time/use-now'
import { m } from '~/paraglide/messages'
import { EmptyState } from '~/ui/EmptyState'
import { Skeleton } from '~/ui/Skeleton'
import { LoadedPart } from '~/ui/signed-in/LoadedPart'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { UUID } from '~/ui/signed-in/use-linked-item'
import { DelayedActions, useDelayedActions } from './delayed-actions.tsx'
import { ItemSkeleton } from './ItemHeader.tsx'
import { actionTexts, describeDue, itemTitle, KINDS } from './inbox-texts.ts'
import { ShortcutHelp, useListShortcuts } from './keyboard-shortcuts.tsx'
import { inboxQuery } from './queries.ts'

export const handle: RouteHandle = { prefetch: [inboxQuery('open')] }

export const clientLoader = () => prefetchBeforeRender(inboxQuery('open'))

export const meta = () => privatePageMeta(m.admin_inbox_title())

// loaded on demand: most visits open none
const ITEM_OF_KIND = {
  appeal: async () => (await import('./AppealItem.tsx')).AppealItem,
  dispute: async () => (await import('./DisputeItem.tsx')).DisputeItem,
  report: async () => (await import('./ReportItem.tsx')).ReportItem,
}

const isKind = (text: string | null | undefined): text is InboxKind => INBOX_KINDS.some((kind) => kind === text)

/**
 * Renders /admin/inbox: everything a person must decide, in one queue, and one item of it (`/<kind>/<id>`) beside the list, on small
 * screens in its place. `?kind=` and `?state=closed` choose what is listed.
 */
export default function InboxPage() {
  const { kind, id } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const state: InboxState = search.get('state') === 'closed' ? 'closed' : 'open'
  const listed = search.get('kind')
  const onlyKind = isKind(listed) ? listed : undefined
  const list = useInfiniteQuery(inboxQuery(state, onlyKind))
  const delayed = useDelayedActions()
  const items = flattenPages(list.data).filter(
    (item) => !delayed.some(({ opened, error }) => opened.id === item.id && error === undefined),
  )
  const query = search.size > 0 ? `?${search}` : ''
  useListShortcuts('a[data-item]')
  const heading = useFocusBack(id)
  if (kind !== undefined && (!isKind(kind) || !id || !UUID.test(id)))
    return <Navigate to={href(paths.adminInbox())} replace />

  /** Opens what stands after the item that was just decided, or else the first of the list; the list alone when it was the last. */
  const openNext = () => {
    const others = items.filter((item) => item.id !== id)
    const next = others[items.findIndex((item) => item.id === id)] ?? others[0]
    void navigate(href((next ? paths.adminInbox(next.kind, next.id) : paths.adminInbox()) + query))
  }
  const item = items.find((one) => one.id === id)
  return (
    <>
      <header className={clsx('flex flex-wrap items-center gap-x-6 gap-y-2 pb-5', id && 'max-lg:pb-0')}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={clsx('text-3xl font-extrabold outline-none sm:text-4xl', id && 'max-lg:sr-only')}
        >
          {m.admin_inbox_title()}
        </h1>
        <Filters state={state} kind={onlyKind} className={clsx(id && 'max-lg:hidden')} />
      </header>
      <DelayedActions />
      <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:items-start lg:gap-6 xl:grid-cols-[19rem_minmax(0,1fr)] xl:gap-8">
        <div
          className={clsx(
            'lg:sticky lg:top-4 lg:max-h-[calc(100dvh-12rem)] lg:overflow-y-auto lg:rounded-2xl',
            id && 'max-lg:hidden',
          )}
        >
          <PagedList
            list={list}
            isEmpty={items.length === 0}
            skeleton={<Skeleton className="h-72 rounded-2xl!" />}
            empty={
              <EmptyState icon={CircleCheck} title={state === 'open' ? m.inbox_empty() : m.inbox_closed_empty()}>
                {state === 'open' && m.inbox_empty_text()}
              </EmptyState>
            }
          >
            <ol
              aria-label={m.admin_inbox_title()}
              className="divide-y divide-line overflow-hidden rounded-2xl border border-line bg-surface"
            >
              {items.map((one) => (
                <InboxRow key={one.id} item={one} query={query} isOpen={one.id === id} />
              ))}
            </ol>
          </PagedList>
        </div>
        {kind && id ? (
          // another item is another page: nothing of this one may stay
          <div key={id} className="min-w-0">
            <LoadedPart name={kind} load={ITEM_OF_KIND[kind]} skeleton={<ItemSkeleton />}>
              {(Item) => <Item id={id} item={item} onDone={openNext} />}
            </LoadedPart>
          </div>
        ) : (
          <div className="hidden gap-4 py-24 text-center text-ink-soft lg:grid lg:justify-items-center">
            <p>{m.inbox_choose()}</p>
            <ShortcutHelp
              keys={[
                ['j', m.keys_next()],
                ['k', m.keys_previous()],
                ['Enter', m.keys_open()],
                ['u', m.keys_undo()],
              ]}
            />
          </div>
        )}
      </div>
    </>
  )
}

type FiltersProps = { state: InboxState; kind: InboxKind | undefined; className: string }

/** Chooses what is listed: all kinds or one, each with how many wait, and what is open or closed. */
function Filters({ state, kind, className }: FiltersProps) {
  const { data: counts } = useQuery(inboxCountsQuery)
  const kinds = [
    ['dispute', m.admin_disputes_title(), counts?.disputes, m.admin_disputes_open],
    ['report', m.admin_reports_title(), counts?.reports, m.admin_reports_open],
    ['appeal', m.admin_appeals_title(), counts?.appeals, m.admin_appeals_open],
  ] as const
  const at = (next: { state: InboxState; kind: InboxKind | undefined }) => {
    const search = new URLSearchParams({
      ...(next.kind && { kind: next.kind }),
      ...(next.state === 'closed' && { state: next.state }),
    })
    return paths.adminInbox() + (search.size > 0 ? `?${search}` : '')
  }
  return (
    <>
      <nav
        aria-label={m.inbox_show()}
        className={clsx('order-last flex w-full flex-wrap sm:order-none sm:w-auto', className)}
      >
        <Choice to={at({ state, kind: undefined })} isChosen={kind === undefined}>
          {m.inbox_all()}
        </Choice>
        {kinds.map(([value, name, count, waiting]) => (
          <Choice key={value} to={at({ state, kind: value })} isChosen={value === kind}>
            {name}
            {state === 'open' && count !== undefined && (
              <>
                <span aria-hidden="true" className="tabular-nums">
                  {count}
                </span>
                <span className="sr-only">{waiting({ count })}</span>
              </>
            )}
          </Choice>
        ))}
      </nav>
      <nav aria-label={m.inbox_open_or_closed()} className={clsx('ml-auto flex', className)}>
        {(['open', 'closed'] as const).map((one) => (
          <Choice key={one} to={at({ state: one, kind })} isChosen={one === state}>
            {one === 'open' ? m.inbox_open() : m.inbox_closed()}
          </Choice>
        ))}
      </nav>
    </>
  )
}

function Choice({ to, isChosen, children }: { to: string; isChosen: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-current={isChosen ? 'true' : undefined}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-[0.625rem] px-1.5 text-ink-soft sm:px-3 hover:bg-ink/6 hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-ink/8 aria-[current]:font-bold aria-[current]:text-ink"
    >
      {children}
    </Link>
  )
}

type RowProps = {
  item: InboxItem
  /** What the list shows, which stays so. */
  query: string
  isOpen: boolean
}

/** Shows one item of the inbox in two lines: its kind and when it is due, and what it is about. */
function InboxRow({ item, query, isOpen }: RowProps) {
  const { kind, id } = item
  const { icon: Icon, name } = KINDS[kind]
  return (
    <li>
      <Link
        to={paths.adminInbox(kind, id) + query}
        data-item={id}
        aria-current={isOpen ? 'true' : undefined}
        className="grid gap-0.5 border-l-4 border-transparent py-3 pr-4 pl-3 hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:border-signal aria-[current]:bg-sunken"
      >
        <span className="flex items-center gap-2 text-sm text-ink-soft">
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {name()}
          <span className="ml-auto">
            <State item={item} />
          </span>
        </span>
        <span className="font-bold">{verbatim(itemTitle(item), item.kind === 'dispute' ? item.plate : '')}</span>
        {item.kind === 'report' && item.is_raised && item.state === 'open' && (
          <span className="flex items-center gap-1 text-sm font-bold text-danger">
            <ArrowUp aria-hidden="true" className="size-4" />
            {m.inbox_raised()}
          </span>
        )}
      </Link>
    </li>
  )
}

/** Says when it is due, how old it is, or how it was decided. */
function State({ item }: { item: InboxItem }) {
  const now = useNow()
  if (item.kind === 'dispute') {
    const { text, tone } = describeDue(item, now)
    return <span className={clsx(tone === 'danger' && 'font-bold text-danger')}>{text}</span>
  }
  if (item.kind === 'report' && item.decision) return actionTexts(item.decision.action, item.side).done()
  if (item.kind === 'appeal' && item.upheld !== null) return item.upheld ? m.appeals_kept() : m.appeals_lifted()
  return <RelativeTime iso={item.created_at} />
}

/** Moves the focus to the row of the item that was open, or to the page's heading, when the list is all that is left. */
function useFocusBack(id: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const openId = useRef(id)
  useEffect(() => {
    const closed = openId.current
    openId.current = id
    if (id !== undefined || closed === undefined) return
    const row = document.querySelector<HTMLElement>(`[data-item="${closed}"]`)
    ;(row ?? heading.current)?.focus()
  }, [id])
  return heading
}
