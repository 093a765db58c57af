import { useState } from 'react'
import { decideReport, type OpenedReport, type ReportAction } from '#contract/inbox.ts'
import { isLasting, SANCTION_DAYS_MAX, SANCTION_REASON_MAX } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { confirmOldFactor, withFreshFactor } from '~/admin/frame/step-up'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { call } from '~/lib/http/api'
import { UNDO_MS } from '~/lib/time/timeout'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { TextArea } from '~/ui/TextArea'
import { delayAction } from './delayed-actions.tsx'
import { actionTexts, REPORT_ACTIONS, reportTitle } from './inbox-texts.ts'
import { NumberKey, useKeyboardShortcuts } from './keyboard-shortcuts.tsx'

type Props = { opened: OpenedReport; onDone: () => void }

/** Offers the decisions about an open report. Each is delayed for some seconds, in which it can be undone. */
export function DecisionPanel({ opened, onDone }: Props) {
  const [action, setAction] = useState<ReportAction | null>(null)
  useKeyboardShortcuts((key) => {
    const chosen = REPORT_ACTIONS[Number(key) - 1]
    if (chosen) setAction(chosen)
    return chosen !== undefined
  })
  return (
    <Card className="grid gap-4">
      <h3 className="text-xl font-bold">{m.inbox_decide()}</h3>
      <div className="flex flex-wrap gap-2">
        {REPORT_ACTIONS.map((one, i) => (
          <Button
            key={one}
            aria-pressed={action === one}
            className="aria-pressed:bg-sunken aria-pressed:ring-2"
            onClick={() => setAction(one)}
          >
            <NumberKey number={i + 1} />
            {actionTexts(one, opened.side).button()}
          </Button>
        ))}
      </div>
      {action && (
        <DecisionForm
          key={action}
          opened={opened}
          action={action}
          onDelayed={onDone}
          onCancel={() => setAction(null)}
        />
      )}
    </Card>
  )
}

type FormProps = { opened: OpenedReport; action: ReportAction; onDelayed: () => void; onCancel: () => void }

/** Returns whether the effect of a decision lasts, for some days or until it is lifted. */
const hasDuration = (action: ReportAction) => action !== 'dismiss' && isLasting(action)

const isDays = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= SANCTION_DAYS_MAX

function DecisionForm({ opened, action, onDelayed, onCancel }: FormProps) {
  const draftName = `report-decision:${opened.id}` // stored until the decision has been sent: it may be undone, or fail
  const { register, pending, formProps, getValues } = useForm({
    defaultValues: { reason: readDraftText(draftName) ?? '', days: '' },
    validate: ({ reason, days }) => ({
      reason: hasVisibleCharacter(reason)
        ? [...reason.trim()].length <= SANCTION_REASON_MAX || m.inbox_too_long({ max: SANCTION_REASON_MAX })
        : m.inbox_reason_missing(),
      days: days.trim() === '' || isDays(days.trim()) || m.inbox_days_wrong({ max: SANCTION_DAYS_MAX }),
    }),
    async onSubmit({ reason, days }) {
      const length = hasDuration(action) && days.trim() !== '' ? { days: Number(days.trim()) } : {}
      // asked for now: later it would interrupt the admin at the next item
      if (action === 'suspend' && !(await confirmOldFactor(UNDO_MS))) return
      const { id, side, reports } = opened
      const input = { id, action, reason: reason.trim(), reports_read: reports.length, ...length }
      delayAction({
        kind: 'report',
        opened,
        title: `${actionTexts(action, side).button()} · ${reportTitle(opened)}`,
        async send() {
          const { state } = await withFreshFactor(() => call(decideReport, input, { withTimeout: true }))
          saveDraft(draftName, undefined)
          toast.success(actionTexts(action, side).done())
          if (state === 'open') toast.warning(m.inbox_still_open())
        },
      })
      onDelayed()
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().reason)}>
      <p className="max-w-prose">{actionTexts(action, opened.side).consequence()}</p>
      <TextArea
        // the buttons above were pressed to write here
        ref={(area) => area?.focus()}
        label={m.inbox_reason()}
        hint={action === 'dismiss' ? m.inbox_reason_hint_dismiss() : m.inbox_reason_hint()}
        rows={3}
        maxCharacters={SANCTION_REASON_MAX}
        {...register('reason')}
      />
      {hasDuration(action) && (
        <div className="max-w-60">
          <TextField
            label={m.inbox_days()}
            hint={m.inbox_days_hint()}
            optional
            inputMode="numeric"
            autoComplete="off"
            {...register('days')}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={action === 'dismiss' ? 'primary' : 'danger'} pending={pending}>
          {actionTexts(action, opened.side).button()}
        </Button>
        <Button onClick={onCancel}>{m.action_cancel()}</Button>
      </div>
    </form>
  )
}
