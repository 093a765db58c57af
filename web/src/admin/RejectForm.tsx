import { useForm, useWatch } from 'react-hook-form'
import { REJECT_REASON_MAX } from '#contract/admin.ts'
import { ApiError, errorMessage } from '~/lib/api'
import { keepDraft, readDraft } from '~/lib/drafts'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import type { DecidedVehicle } from './decisions.ts'
import { useDecide } from './use-decide.ts'

type Props = { vehicle: DecidedVehicle; onDone: () => void; onCancel: () => void }

/** The reason a vehicle is rejected for (spec §5). What is typed stays until it is sent, whatever happens. */
export function RejectForm({ vehicle, onDone, onCancel }: Props) {
  const { mutateAsync } = useDecide()
  const draft = `reject:${vehicle.id}`
  const kept = readDraft(draft)
  const { control, register, handleSubmit, setError, getValues, formState } = useForm({
    defaultValues: { reason: typeof kept === 'string' ? kept : '' },
  })

  const typed = useWatch({ control, name: 'reason' })
  const submit = async ({ reason }: { reason: string }) => {
    try {
      await mutateAsync({ what: 'reject', vehicle, reason: reason.trim() })
      keepDraft(draft, undefined)
      onDone()
    } catch (error) {
      const text = error instanceof ApiError ? error.fields['reason'] : undefined
      setError('reason', { message: text ?? errorMessage(error) }, { shouldFocus: true })
    }
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void handleSubmit(submit)(event)}>
      <TextArea
        label={m.admin_reject_reason()}
        rows={4}
        maxCharacters={REJECT_REASON_MAX}
        defaultValue={getValues('reason')}
        error={formState.errors.reason?.message}
        {...register('reason', {
          onChange: () => keepDraft(draft, getValues('reason')),
          validate: (text) =>
            text.trim().length <= REJECT_REASON_MAX || m.admin_reject_too_long({ max: REJECT_REASON_MAX }),
        })}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button disabled={formState.isSubmitting} onClick={onCancel}>
          {m.action_cancel()}
        </Button>
        <Button
          type="submit"
          variant="danger"
          disabled={typed.trim() === ''}
          pending={formState.isSubmitting}
          pendingText={m.admin_reject_pending()}
        >
          {m.admin_reject_submit()}
        </Button>
      </div>
    </form>
  )
}
