import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { type AdminAppeal, decideAppeal, type OpenedAppeal, openAppeal } from '#contract/people.ts'
import { SANCTION_REASON_MAX } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { formatDate } from '~/lib/dates/dates'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { call } from '~/lib/http/api'
import { Link } from '~/lib/i18n/i18n'
import { queryClient } from '~/lib/query/query-client'
import { toast } from '~/lib/toast/toast'
import { delayAction, useDelayedActions } from '~/moderation/delayed-actions'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextArea } from '~/ui/TextArea'
import { APPEALS_KEY } from './queries.ts'
import { sanctionKindText } from './sanction-kind-text.ts'

/** Shows one appeal: what it is about, its text once it is opened, and the decision. */
export function AppealItem({ appeal }: { appeal: AdminAppeal }) {
  const { sanction } = appeal
  const opening = useMutation({
    mutationFn: () => call(openAppeal, { id: appeal.id }, { withTimeout: true }),
    onError: (error) => toast.error(error),
  })
  const opened = opening.data
  return (
    <li>
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-lg font-bold">
            {m.appeals_about({ kind: sanctionKindText(sanction.kind), date: formatDate(sanction.created_at) })}
          </h2>
          <Link to={paths.adminPerson(appeal.subject_id)} className="link py-1">
            {m.appeals_person()}
          </Link>
        </div>
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-ink-soft">
          <span>{m.appeals_made({ date: formatDate(appeal.created_at) })}</span>
          {sanction.decided_by_email && (
            <span className="wrap-anywhere">{m.appeals_decided_by({ who: sanction.decided_by_email })}</span>
          )}
          {appeal.upheld !== null && (
            <Badge tone={appeal.upheld ? 'neutral' : 'good'}>
              {appeal.upheld ? m.appeals_kept() : m.appeals_lifted()}
            </Badge>
          )}
        </p>
        {opened ? (
          <Opened opened={opened} />
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              onClick={() => opening.mutate()}
              pending={opening.isPending}
              pendingText={m.appeals_reading()}
              data-appeal={appeal.id}
            >
              {m.appeals_read()}
            </Button>
            <p className="text-sm text-ink-soft">{m.appeals_read_hint()}</p>
          </div>
        )}
      </Card>
    </li>
  )
}

function Opened({ opened }: { opened: OpenedAppeal }) {
  const isDelayed = useDelayedActions().some(({ id }) => id === opened.id)
  return (
    <>
      <Quote title={m.appeals_sanction_reason()}>{opened.reason ?? m.person_no_reason()}</Quote>
      <Quote title={m.appeals_text()}>{opened.text}</Quote>
      {opened.decision_reason !== null && <Quote title={m.appeals_decision_reason()}>{opened.decision_reason}</Quote>}
      {opened.state === 'open' && !isDelayed && <DecisionForm appeal={opened} />}
    </>
  )
}

function Quote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <h3 className="text-sm text-ink-soft">{title}</h3>
      <blockquote className="max-w-prose rounded-xl bg-sunken p-4 whitespace-pre-line wrap-anywhere">
        {children}
      </blockquote>
    </div>
  )
}

/**
 * Asks for the reason, which the person reads, and for one of two decisions, which is delayed for some seconds in which it can
 * be undone. What is typed is stored until it has been sent.
 */
function DecisionForm({ appeal }: { appeal: AdminAppeal }) {
  const draftName = `appeal:${appeal.id}`
  const [reason, setReason] = useState(() => readDraftText(draftName) ?? '')
  const [error, setError] = useState<string>()
  const decide = (uphold: boolean) => {
    const text = reason.trim()
    if (!hasVisibleCharacter(text)) return setError(m.person_reason_missing())
    if ([...text].length > SANCTION_REASON_MAX) return setError(m.desk_too_long({ max: SANCTION_REASON_MAX }))
    const what = sanctionKindText(appeal.sanction.kind)
    delayAction({
      id: appeal.id,
      title: `${uphold ? m.appeals_keep() : m.appeals_lift()} · ${what}`,
      async send() {
        await call(decideAppeal, { id: appeal.id, uphold, reason: text }, { withTimeout: true })
        saveDraft(draftName, undefined)
        toast.success(uphold ? m.appeals_done_kept() : m.appeals_done_lifted())
        await queryClient.invalidateQueries({ queryKey: APPEALS_KEY })
      },
    })
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
      {appeal.own_decision && <p className="rounded-xl bg-warn-soft p-4 font-bold text-warn">{m.appeals_own()}</p>}
      <TextArea
        label={m.appeals_reason()}
        hint={m.person_reason_hint()}
        rows={3}
        maxCharacters={SANCTION_REASON_MAX}
        value={reason}
        error={error}
        onChange={(event) => {
          setReason(event.target.value)
          saveDraft(draftName, event.target.value)
        }}
      />
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button onClick={() => decide(true)}>{m.appeals_keep()}</Button>
        <Button onClick={() => decide(false)}>{m.appeals_lift()}</Button>
      </div>
    </form>
  )
}
