import { useInfiniteQuery } from '@tanstack/react-query'
import { FilePlus, Lock } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { PagedList } from '~/admin/PagedList'
import { flattenPages } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { Tabs } from '~/ui/signed-in/Tabs'
import { HoldForm } from './HoldForm.tsx'
import { HoldItem } from './HoldItem.tsx'
import { type HoldState, holdsQuery } from './queries.ts'

/**
 * Renders /admin/holds: what is preserved for courts and authorities (decision 0117). `?account=<id>` and `?plate=&province=`
 * open the filled-in form, as from the page of a user or the card of a vehicle; `?new` opens an empty one.
 */
export function HoldsPage() {
  const [params, setParams] = useSearchParams()
  const state: HoldState = params.get('state') === 'ended' ? 'ended' : 'in_force'
  const writing = ['new', 'account', 'plate'].some((name) => params.has(name))
  const close = () => setParams({}, { replace: true })
  return (
    <>
      <PageHeader
        title={m.admin_holds_title()}
        action={
          !writing && (
            <Button variant="primary" onClick={() => setParams({ new: '' })}>
              <FilePlus aria-hidden="true" className="size-5" />
              {m.hold_new()}
            </Button>
          )
        }
      >
        {m.holds_intro()}
      </PageHeader>
      {writing && (
        <HoldForm
          key={params.toString()}
          accountId={params.get('account')}
          plate={params.get('plate') ?? ''}
          province={params.get('province') ?? ''}
          onDone={close}
        />
      )}
      <Tabs
        label={m.admin_holds_title()}
        value={state}
        onChange={(next) => setParams(next === 'ended' ? { state: next } : {}, { replace: true })}
        tabs={[
          { value: 'in_force', label: m.holds_tab_in_force(), content: <List state="in_force" /> },
          { value: 'ended', label: m.holds_tab_ended(), content: <List state="ended" /> },
        ]}
      />
    </>
  )
}

function List({ state }: { state: HoldState }) {
  const list = useInfiniteQuery(holdsQuery(state))
  const holds = flattenPages(list.data)
  return (
    <PagedList
      list={list}
      isEmpty={holds.length === 0}
      skeleton={<Skeleton className="h-64 rounded-2xl!" />}
      empty={
        state === 'in_force' ? (
          <EmptyState icon={Lock} title={m.holds_empty()}>
            {m.holds_empty_text()}
          </EmptyState>
        ) : (
          <EmptyState icon={Lock} title={m.holds_none_ended()} />
        )
      }
    >
      <ul aria-label={m.admin_holds_title()} className="grid gap-5">
        {holds.map((hold) => (
          <HoldItem key={hold.id} hold={hold} />
        ))}
      </ul>
    </PagedList>
  )
}
