import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { DeskState } from '#contract/cases.ts'
import { m } from '~/paraglide/messages'
import { Tabs } from '~/ui/signed-in/Tabs'

/** Shows what is open and what is closed under two tabs; `?state=closed` in the address chooses the second one. */
export function DeskTabs({ label, render }: { label: string; render: (state: DeskState) => ReactNode }) {
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
