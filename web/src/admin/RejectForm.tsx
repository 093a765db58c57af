import { REJECT_REASON_MAX } from '#contract/admin.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { ApiError, errorMessage } from '~/lib/http/api'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { TextArea } from '~/ui/TextArea'
import type { VehicleRef } from './optimistic-decisions.ts'
import { useDecide } from './use-decide.ts'

type Props = { vehicle: VehicleRef; onDone: () => void; onCancel: () => void }

const validate = ({ reason }: { reason: string }) => ({
  reason: reason.trim().length <= REJECT_REASON_MAX || m.admin_reject_too_long({ max: REJECT_REASON_MAX }),
})

/** Asks for the reason of a rejection (requirements §5). What is typed is stored until it has been sent. */
export function RejectForm({ vehicle, onDone, onCancel }: Props) {
  const { mutateAsync } = useDecide()
  const draftName = `reject:${vehicle.id}`
  const { values, register, pending, formProps, getValues } = useForm({
    defaultValues: { reason: readDraftText(draftName) ?? '' },
    validate,
    async onSubmit({ reason }) {
      try {
        await mutateAsync({ action: 'reject', vehicle, reason: reason.trim() })
        saveDraft(draftName, undefined)
        onDone()
        return undefined
      } catch (error) {
        return { reason: (error instanceof ApiError ? error.fields['reason'] : undefined) ?? errorMessage(error) }
      }
    },
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().reason)}>
      <TextArea label={m.admin_reject_reason()} rows={4} maxCharacters={REJECT_REASON_MAX} {...register('reason')} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button disabled={pending} onClick={onCancel}>
          {m.action_cancel()}
        </Button>
        <Button
          type="submit"
          variant="danger"
          disabled={!hasVisibleCharacter(values.reason)}
          pending={pending}
          pendingText={m.admin_reject_pending()}
        >
          {m.admin_reject_submit()}
        </Button>
      </div>
    </form>
  )
}
