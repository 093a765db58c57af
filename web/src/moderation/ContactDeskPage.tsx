import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { type ContactItem, type DeskState, reopenContact } from '#contract/contact-desk.ts'
import { contactSubjectName } from '#contract/contact-subjects.ts'
import type { Locale } from '#contract/product.ts'
import { PagedList } from '~/admin/PagedList'
import { call } from '~/lib/http/api'
import { getLocale } from '~/lib/i18n/i18n'
import { flattenPages } from '~/lib/query/paged'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { EmptyState } from '~/ui/EmptyState'
import { PageHeader } from '~/ui/PageHeader'
import { Skeleton } from '~/ui/Skeleton'
import { RelativeTime } from '~/ui/signed-in/RelativeTime'
import { DeskTabs } from './DeskTabs.tsx'
import { OpenedSubmission } from './OpenedSubmission.tsx'
import { CONTACT_KEY, contactQuery } from './queries.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useListShortcuts } from './use-keyboard-shortcuts.ts'

const LANGUAGE_NAMES: Record<Locale, () => string> = { en: m.contact_desk_english, 'fr-CA': m.contact_desk_french }

/** Renders /admin/contact: what people wrote on the contact page, to be opened, answered and closed (decision 0087). */
export function ContactDeskPage() {
  useListShortcuts('button[data-submission]')
  return (
    <>
      <PageHeader title={m.admin_contact_title()}>{m.contact_desk_intro()}</PageHeader>
      <DeskTabs label={m.admin_contact_title()} render={(state) => <SubmissionList state={state} />} />
    </>
  )
}

function SubmissionList({ state }: { state: DeskState }) {
  const list = useInfiniteQuery(contactQuery(state))
  const [shownId, setShownId] = useState<string | null>(null)
  const items = flattenPages(list.data)
  return (
    <div className="grid gap-4">
      <ShortcutHelp
        label={m.keys_label()}
        keys={[
          ['j / ↓', m.keys_next()],
          ['k / ↑', m.keys_previous()],
          ['Enter', m.keys_open()],
        ]}
      />
      <PagedList
        list={list}
        isEmpty={items.length === 0}
        skeleton={<Skeleton className="h-72 rounded-2xl!" />}
        empty={
          <EmptyState icon={Mail} title={state === 'open' ? m.contact_desk_empty() : m.contact_desk_closed_empty()} />
        }
      >
        <ol aria-label={m.admin_contact_title()} className="grid gap-4">
          {items.map((item) => (
            <li key={item.id}>
              <Card className="grid gap-5">
                <SubmissionHead
                  item={item}
                  isShown={shownId === item.id}
                  onToggle={() => setShownId(shownId === item.id ? null : item.id)}
                />
                {shownId === item.id && <OpenedSubmission item={item} />}
              </Card>
            </li>
          ))}
        </ol>
      </PagedList>
    </div>
  )
}

type HeadProps = { item: ContactItem; isShown: boolean; onToggle: () => void }

function SubmissionHead({ item, isShown, onToggle }: HeadProps) {
  const { id, subject, locale, created_at, answered_at, delivery, state } = item
  const topic = contactSubjectName(subject, getLocale())
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="grid gap-1.5">
        <h2 className="text-lg font-bold">{topic}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-soft">
          <RelativeTime iso={created_at} />
          <span>{LANGUAGE_NAMES[locale]()}</span>
          {delivery === 'failed' ? (
            <Badge tone="danger">{m.contact_desk_failed()}</Badge>
          ) : (
            answered_at && <Badge tone="good">{m.contact_desk_answered()}</Badge>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {state === 'closed' && <ReopenButton id={id} topic={topic} />}
        <Button data-submission={id} aria-expanded={isShown} onClick={onToggle}>
          {isShown ? m.contact_desk_hide() : state === 'open' ? m.contact_desk_work() : m.contact_desk_read()}
          <span className="sr-only"> {topic}</span>
        </Button>
      </div>
    </div>
  )
}

/** Reopens a closed submission, which is then listed among the open ones. */
function ReopenButton({ id, topic }: { id: string; topic: string }) {
  const queries = useQueryClient()
  const reopen = useMutation({
    networkMode: 'always',
    mutationFn: () => call(reopenContact, { id }, { withTimeout: true }),
    onSuccess: () => toast.success(m.contact_desk_reopened()),
    onError: (error) => toast.error(error),
    onSettled: () => void queries.invalidateQueries({ queryKey: CONTACT_KEY }),
  })
  return (
    <Button pending={reopen.isPending} onClick={() => reopen.mutate()}>
      <RotateCcw aria-hidden="true" className="size-5" />
      {m.contact_desk_reopen()}
      <span className="sr-only"> {topic}</span>
    </Button>
  )
}
