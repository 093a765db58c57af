import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { decideAppeal, type OpenedAppeal, openAppeal } from '#contract/inbox.ts'
import { confirmOldFactor, withFreshFactor } from '~/admin/frame/StepUp'
import { ReasonField, sanctionKindText, validateReason } from '~/admin/sanctions'
import { formatDate } from '~/lib/dates/dates'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { call } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { UNDO_MS } from '~/lib/time/timeout'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { delayAction, useOpened } from './delayed-actions.tsx'
import { ItemHeader, type ItemProps, PersonLink } from './ItemHeader.tsx'
import { appealTitle, KINDS } from './inbox-texts.ts'
import { NumberKey } from './keyboard-shortcuts.tsx'

/** Shows one appeal: what it is about, its text once it is opened, which is recorded, and the decision. */
export function AppealItem({ id, item, onDone }: ItemProps) {
  const [opened, setOpened] = useOpened<OpenedAppeal>(id)
  const opening = useMutation({
    mutationFn: () => call(openAppeal, { id }, { withTimeout: true }),
    onSuccess: setOpened,
  })
  const appeal = opened ?? (item?.kind === 'appeal' ? item : undefined)
  return (
    <article className="grid gap-6">
      <ItemHeader
        kind="appeal"
        isOpened={opened !== undefined}
        title={appeal ? appealTitle(appeal) : KINDS.appeal.name()}
      >
        {appeal && (
          <>
            <span>{m.appeals_made({ date: formatDate(appeal.created_at) })}</span>
            {appeal.sanction.decided_by_email &&
              verbatim(
                m.appeals_decided_by({ who: appeal.sanction.decided_by_email }),
                appeal.sanction.decided_by_email,
              )}
            {appeal.upheld !== null && (
              <Badge tone={appeal.upheld ? 'neutral' : 'good'}>
                {appeal.upheld ? m.appeals_kept() : m.appeals_lifted()}
              </Badge>
            )}
            <PersonLink id={appeal.subject_id} />
          </>
        )}
      </ItemHeader>
      <Card className="grid gap-4">
        {opened ? (
          <>
            <Quote title={m.appeals_sanction_reason()}>{opened.reason ?? m.person_no_reason()}</Quote>
            <Quote title={m.appeals_text()}>{opened.text}</Quote>
            {opened.decision_reason !== null && (
              <Quote title={m.appeals_decision_reason()}>{opened.decision_reason}</Quote>
            )}
            {opened.state === 'open' && <DecisionForm appeal={opened} onDone={onDone} />}
          </>
        ) : (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              variant="primary"
              onClick={() => opening.mutate()}
              pending={opening.isPending}
              pendingText={m.appeals_reading()}
            >
              {m.appeals_read()}
            </Button>
            <p className="text-sm text-ink-soft">{m.appeals_read_hint()}</p>
          </div>
        )}
      </Card>
    </article>
  )
}

function Quote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <h3 className="text-sm text-ink-soft">{title}</h3>
      <blockquote dir="auto" className="max-w-prose rounded-xl bg-sunken p-4 whitespace-pre-line">
        {children}
      </blockquote>
    </div>
  )
}

/**
 * Asks for the reason, which the person reads, and for one of two decisions, which is delayed for some seconds in which it can
 * be undone. What is typed is stored until it has been sent.
 */
function DecisionForm({ appeal, onDone }: { appeal: OpenedAppeal; onDone: () => void }) {
  const draftName = `appeal:${appeal.id}`
  const [reason, setReason] = useState(() => readDraftText(draftName) ?? '')
  const [error, setError] = useState<string>()
  const decide = async (uphold: boolean) => {
    const wrong = validateReason(reason)
    if (wrong !== true) return setError(wrong)
    if (!uphold && !(await confirmOldFactor(UNDO_MS))) return
    delayAction({
      kind: 'appeal',
      opened: appeal,
      title: `${uphold ? m.appeals_keep() : m.appeals_lift()} · ${sanctionKindText(appeal.sanction.kind)}`,
      typed: reason,
      draft: draftName,
      async send() {
        const input = { id: appeal.id, uphold, reason: reason.trim() }
        await withFreshFactor(() => call(decideAppeal, input, { withTimeout: true }))
        toast.success(uphold ? m.appeals_done_kept() : m.appeals_done_lifted())
      },
    })
    onDone()
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
      {appeal.own_decision && <p className="rounded-xl bg-warn-soft p-4 font-bold text-warn">{m.appeals_own()}</p>}
      <ReasonField
        value={reason}
        error={error}
        onChange={(event) => {
          setReason(event.target.value)
          saveDraft(draftName, event.target.value)
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void decide(true)}>
          <NumberKey number={1} />
          {m.appeals_keep()}
        </Button>
        <Button onClick={() => void decide(false)}>
          <NumberKey number={2} />
          {m.appeals_lift()}
        </Button>
      </div>
    </form>
  )
}
