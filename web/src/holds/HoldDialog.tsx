import { useQueryClient } from '@tanstack/react-query'
import { extendHold, HOLD_REASON_MAX, type Hold, liftHold } from '#contract/holds.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { ADMIN_QUERY_KEY } from '~/admin/frame/queries'
import { withFreshFactor } from '~/admin/frame/step-up'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/Field'
import { Dialog } from '~/ui/signed-in/Dialog'
import { TextArea } from '~/ui/TextArea'
import { lastDayError, possibleDays } from './hold-days.ts'

/** What an admin can do about a hold in force. */
export type HoldAction = 'extend' | 'lift'

type Props = { hold: Hold; action: HoldAction; open: boolean; onOpenChange: (open: boolean) => void }

/** Asks for a hold's new last day, or for its end, and why. */
export function HoldDialog({ hold, action, open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={action === 'extend' ? m.hold_extend_title() : m.hold_lift_title()}
      description={action === 'extend' ? m.hold_extend_text() : m.hold_lift_text()}
      initialFocus={() => document.querySelector<HTMLElement>('dialog[open] form :is(input, textarea)')}
    >
      <ChangeForm key={action} hold={hold} action={action} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

/** Validates the reason of a hold: returns true, or what is wrong. */
export const reasonError = (reason: string): string | true =>
  !hasVisibleCharacter(reason)
    ? m.hold_reason_missing()
    : [...reason.trim()].length <= HOLD_REASON_MAX || m.hold_too_long({ max: HOLD_REASON_MAX })

function ChangeForm({ hold, action, onClose }: { hold: Hold; action: HoldAction; onClose: () => void }) {
  const queries = useQueryClient()
  const form = useForm({
    defaultValues: { ends_on: hold.ends_on, reason: '' },
    validate: ({ ends_on, reason }) => ({
      ends_on: action === 'lift' || (lastDayError(ends_on) ?? true),
      reason: reasonError(reason),
    }),
    async onSubmit({ ends_on, reason }) {
      const input = { id: hold.id, reason: reason.trim() }
      try {
        await withFreshFactor(() =>
          action === 'lift'
            ? call(liftHold, input, { withTimeout: true })
            : call(extendHold, { ...input, ends_on }, { withTimeout: true }),
        )
      } catch (error) {
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) return error.fields
        return { reason: errorMessage(error) }
      }
      onClose()
      toast.success(action === 'lift' ? m.hold_lift_done() : m.hold_extend_done())
      // the account and its vehicles say whether they are held
      void queries.invalidateQueries({ queryKey: [ADMIN_QUERY_KEY] })
      return undefined
    },
  })
  const { first, last } = possibleDays()
  return (
    <form noValidate className="grid gap-4" {...form.formProps}>
      {action === 'extend' && (
        <div className="max-w-60">
          <TextField label={m.hold_last_day()} type="date" min={first} max={last} {...form.register('ends_on')} />
        </div>
      )}
      <TextArea label={m.hold_change_reason()} rows={3} maxCharacters={HOLD_REASON_MAX} {...form.register('reason')} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button disabled={form.pending} onClick={onClose}>
          {m.action_cancel()}
        </Button>
        <Button
          type="submit"
          variant={action === 'lift' ? 'danger' : 'primary'}
          pending={form.pending}
          pendingText={m.loading()}
        >
          {action === 'lift' ? m.hold_lift_confirm() : m.hold_extend_confirm()}
        </Button>
      </div>
    </form>
  )
}
