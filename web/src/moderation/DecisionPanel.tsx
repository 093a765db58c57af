import { useRef, useState } from 'react'
import type { CaseAction, OpenedCase } from '#contract/cases.ts'
import { isLasting, SANCTION_DAYS_MAX, SANCTION_REASON_MAX } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { confirmOldFactor } from '~/admin/frame/step-up'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { UNDO_MS } from '~/lib/time/undo'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { TextField } from '~/ui/Field'
import { TextArea } from '~/ui/TextArea'
import { delayDecision, reasonDraft } from './case-decisions.ts'
import { actionTexts, CASE_ACTIONS } from './case-texts.ts'
import { useDelayedActions } from './delayed-actions.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts'

/** Offers the decisions about an open case. Each is delayed for some seconds, in which it can be undone. */
export function DecisionPanel({ opened }: { opened: OpenedCase }) {
  const [action, setAction] = useState<CaseAction | null>(null)
  const isDelayed = useDelayedActions().some(({ id }) => id === opened.id)
  const wasDelayed = useRef(false)
  useKeyboardShortcuts((key) => {
    const chosen = CASE_ACTIONS[Number(key) - 1]
    if (!chosen || isDelayed) return false
    setAction(chosen)
    return true
  })
  if (isDelayed) return null
  return (
    <Card className="grid gap-4">
      <h2
        // after an undo, whose button is gone: the number keys choose again
        ref={(title) => {
          if (!title || !wasDelayed.current) return
          wasDelayed.current = false
          if (document.activeElement === document.body) title.focus()
        }}
        tabIndex={-1}
        className="text-xl font-bold outline-none"
      >
        {m.case_decide()}
      </h2>
      <div className="flex flex-wrap gap-2">
        {CASE_ACTIONS.map((one, i) => (
          <Button
            key={one}
            aria-pressed={action === one}
            className="aria-pressed:bg-sunken aria-pressed:ring-2"
            onClick={() => setAction(one)}
          >
            <span aria-hidden="true" className="hidden text-ink-soft pointer-fine:inline">
              {i + 1}
            </span>
            {actionTexts(one, opened.side).button()}
          </Button>
        ))}
      </div>
      <ShortcutHelp
        label={m.keys_label()}
        keys={[
          ['1–5', m.keys_choose()],
          ['u', m.keys_undo()],
        ]}
      />
      {action && (
        <DecisionForm
          key={action}
          opened={opened}
          action={action}
          onDelayed={() => {
            // after an undo the admin chooses again: the wrong decision must not be selected any more
            wasDelayed.current = true
            setAction(null)
          }}
          onCancel={() => setAction(null)}
        />
      )}
    </Card>
  )
}

type FormProps = { opened: OpenedCase; action: CaseAction; onDelayed: () => void; onCancel: () => void }

/** Returns whether the effect of a decision lasts, for some days or until it is lifted. */
const hasDuration = (action: CaseAction) => action !== 'dismiss' && isLasting(action)

const isDays = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= SANCTION_DAYS_MAX

function DecisionForm({ opened, action, onDelayed, onCancel }: FormProps) {
  const draftName = reasonDraft(opened.id)
  const { register, pending, formProps, getValues } = useForm({
    defaultValues: { reason: readDraftText(draftName) ?? '', days: '' },
    validate: ({ reason, days }) => ({
      reason: hasVisibleCharacter(reason)
        ? [...reason.trim()].length <= SANCTION_REASON_MAX || m.desk_too_long({ max: SANCTION_REASON_MAX })
        : m.case_reason_missing(),
      days: days.trim() === '' || isDays(days.trim()) || m.case_days_wrong({ max: SANCTION_DAYS_MAX }),
    }),
    async onSubmit({ reason, days }) {
      const length = hasDuration(action) && days.trim() !== '' ? { days: Number(days.trim()) } : {}
      // asked for now: later it would interrupt the admin at the next case
      if (action === 'suspend' && !(await confirmOldFactor(UNDO_MS))) return
      delayDecision({ opened, action, reason: reason.trim(), ...length })
      onDelayed()
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().reason)}>
      <p className="max-w-prose">{actionTexts(action, opened.side).consequence()}</p>
      <TextArea
        // the buttons above were pressed to write here
        ref={(area) => area?.focus()}
        label={m.case_reason()}
        hint={action === 'dismiss' ? m.case_reason_hint_dismiss() : m.case_reason_hint()}
        rows={3}
        maxCharacters={SANCTION_REASON_MAX}
        {...register('reason')}
      />
      {hasDuration(action) && (
        <div className="max-w-60">
          <TextField
            label={m.case_days()}
            hint={m.case_days_hint()}
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
