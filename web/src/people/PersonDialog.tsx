import { useQueryClient } from '@tanstack/react-query'
import { liftSanctions, suspendPerson } from '#contract/people.ts'
import { SANCTION_DAYS_MAX, SANCTION_REASON_MAX } from '#contract/sanctions.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { withFreshFactor } from '~/admin/frame/step-up'
import { personKey, USERS_KEY } from '~/admin/queries'
import { useForm } from '~/lib/form/use-form'
import { ApiError, call, errorMessage } from '~/lib/http/api'
import { toast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { TextField } from '~/ui/Field'
import { Dialog, DialogButtons } from '~/ui/signed-in/Dialog'
import { TextArea } from '~/ui/TextArea'

/** What an admin can do about a person without a case. */
export type PersonAction = 'suspend' | 'lift'

type Props = {
  personId: string
  action: PersonAction
  open: boolean
  onOpenChange: (open: boolean) => void
}

const TEXTS = {
  suspend: {
    title: m.person_suspend_title,
    text: m.person_suspend_text,
    confirm: m.person_suspend_confirm,
    pending: m.person_suspend_pending,
    done: m.person_suspend_done,
  },
  lift: {
    title: m.person_lift_title,
    text: m.person_lift_text,
    confirm: m.person_lift_confirm,
    pending: m.person_lift_pending,
    done: m.person_lift_done,
  },
}

const isDays = (days: string) => days.trim() === '' || (/^[0-9]{1,4}$/.test(days.trim()) && Number(days) >= 1)

const validate = ({ reason, days }: { reason: string; days: string }) => ({
  reason: !hasVisibleCharacter(reason)
    ? m.person_reason_missing()
    : Array.from(reason.trim()).length <= SANCTION_REASON_MAX || m.person_reason_too_long({ max: SANCTION_REASON_MAX }),
  days: (isDays(days) && Number(days) <= SANCTION_DAYS_MAX) || m.person_days_wrong({ max: SANCTION_DAYS_MAX }),
})

/** Asks for the reason of a suspension or of its end, and for how many days; states the consequences first. */
export function PersonDialog({ personId, action, open, onOpenChange }: Props) {
  const queries = useQueryClient()
  const { title, text, confirm, pending, done } = TEXTS[action]
  const form = useForm({
    defaultValues: { reason: '', days: '' },
    validate,
    async onSubmit({ reason, days }) {
      const input = { id: personId, reason: reason.trim() }
      const send = () =>
        action === 'lift'
          ? call(liftSanctions, input, { withTimeout: true })
          : call(suspendPerson, { ...input, ...(days.trim() !== '' && { days: Number(days) }) }, { withTimeout: true })
      try {
        queries.setQueryData(personKey(personId), await withFreshFactor(send))
        void queries.invalidateQueries({ queryKey: USERS_KEY }) // it is among the events of the account
      } catch (error) {
        // another admin may have been faster
        void queries.invalidateQueries({ queryKey: personKey(personId) })
        return { reason: (error instanceof ApiError ? error.fields['reason'] : undefined) ?? errorMessage(error) }
      }
      form.setValue('reason', '')
      form.setValue('days', '')
      onOpenChange(false)
      toast.success(done())
      return undefined
    },
  })
  // stays open while it is sent: it shows why that failed
  const close = () => !form.pending && onOpenChange(false)
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={title()}
      description={text()}
      initialFocus={() => document.querySelector<HTMLTextAreaElement>('dialog[open] textarea[name=reason]')}
    >
      <form noValidate className="grid gap-4" {...form.formProps}>
        <TextArea
          label={m.person_reason()}
          hint={m.person_reason_hint()}
          rows={4}
          maxCharacters={SANCTION_REASON_MAX}
          {...form.register('reason')}
        />
        {action === 'suspend' && (
          <div className="max-w-60">
            <TextField
              label={m.person_days()}
              hint={m.person_days_hint()}
              optional
              inputMode="numeric"
              autoComplete="off"
              {...form.register('days')}
            />
          </div>
        )}
        <DialogButtons
          onCancel={close}
          type="submit"
          variant={action === 'suspend' ? 'danger' : 'primary'}
          pending={form.pending}
          pendingText={pending()}
        >
          {confirm()}
        </DialogButtons>
      </form>
    </Dialog>
  )
}
