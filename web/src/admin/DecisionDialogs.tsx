import { Children, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { REJECT_REASON_MAX } from '#contract/admin.ts'
import { hasVisibleCharacter } from '#contract/visible-text.ts'
import { readDraftText, saveDraft } from '~/lib/form/drafts'
import { useForm } from '~/lib/form/use-form'
import { errorMessage } from '~/lib/http/api'
import { verbatim } from '~/lib/i18n/verbatim'
import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { Dialog, DialogButtons } from '~/ui/signed-in/Dialog'
import { TextArea } from '~/ui/TextArea'
import { type Decision, useDecide, usePendingDecisions, type VehicleRef } from './decisions.ts'

/** A decision to confirm, and what the admin should know before taking it, line by line (`text`). */
type PendingDecision = {
  action: Decision['action']
  vehicle: VehicleRef
  text: ReactNode[]
  /** Whether an approval is known to take the plate from somebody else. */
  affectsOthers: boolean
}

/**
 * Takes the decisions of a page: at once (`decide`), or after a confirmation (`openDialog`) in a dialog, which the page renders. A
 * decision removes the button that was pressed, or later the whole card: the focus then goes to the card, whose element has the id
 * of its vehicle, and to `fallback` when that is gone as well.
 *
 * @param onDecided is called once the server has carried out a decision
 */
export function useConfirmDecision(fallback: RefObject<HTMLElement | null>, onDecided?: () => void) {
  const { mutate } = useDecide()
  const [pending, setPending] = useState<PendingDecision>()
  const [open, setOpen] = useState(false)
  const isRejecting = usePendingDecisions().some(({ action }) => action === 'reject')
  const pressedElement = useRef<Element | null>(null)
  const vehicleId = useRef<string | null>(null)

  const focusCard = () => {
    if (vehicleId.current === null) return null
    const card = document.getElementById(vehicleId.current)
    const target = card ?? fallback.current
    target?.focus({ preventScroll: true })
    if (!card) vehicleId.current = null
    return null
  }
  useEffect(() => {
    if (document.activeElement === document.body) focusCard()
  })
  const decide = (decision: Decision) => {
    vehicleId.current = decision.vehicle.id
    mutate(decision, { onSuccess: onDecided })
  }
  const openDialog = (pendingDecision: PendingDecision) => {
    pressedElement.current = document.activeElement
    vehicleId.current = pendingDecision.vehicle.id
    setPending(pendingDecision)
    setOpen(true)
  }
  return { decide, openDialog, dialog: pending && dialogOf(pending) }

  function dialogOf({ action, vehicle, text, affectsOthers }: PendingDecision) {
    const { plate } = vehicle
    const description = Children.map(text, (line) => <span className="block not-first:mt-2">{line}</span>)
    if (action === 'reject') {
      const close = () => !isRejecting && setOpen(false) // stays open until the response arrives, because it shows why it failed
      const finish = () => {
        setOpen(false)
        onDecided?.()
      }
      return (
        <Dialog
          key={action}
          open={open}
          onOpenChange={close}
          title={verbatim(m.admin_reject_title({ plate }), plate)}
          description={description}
          initialFocus={() => document.querySelector<HTMLTextAreaElement>('textarea[name=reason]')}
          // a rejection that failed had removed the button for a while: the one there now is another element
          finalFocus={() => (pressedElement.current?.isConnected ? null : focusCard())}
        >
          <RejectForm vehicle={vehicle} onDone={finish} onCancel={close} />
        </Dialog>
      )
    }
    const approves = action === 'approve'
    return (
      <ConfirmDialog
        key={action}
        open={open}
        onOpenChange={setOpen}
        title={verbatim(approves ? m.admin_approve_title({ plate }) : m.admin_delete_title({ plate }), plate)}
        description={description}
        confirmText={
          !approves ? m.vehicles_delete_confirm() : affectsOthers ? m.admin_approve_confirm() : m.admin_approve()
        }
        onConfirm={() => decide({ action, vehicle })}
        focusAfter={focusCard}
      />
    )
  }
}

/** Returns the name of the draft of a rejection's reason. */
export const rejectDraft = (vehicleId: string) => `reject:${vehicleId}`

type RejectFormProps = { vehicle: VehicleRef; onDone: () => void; onCancel: () => void }

const validate = ({ reason }: { reason: string }) => ({
  reason: reason.trim().length <= REJECT_REASON_MAX || m.admin_reject_too_long({ max: REJECT_REASON_MAX }),
})

/** Asks for the reason of a rejection (requirements §5). What is typed is stored until it has been sent. */
function RejectForm({ vehicle, onDone, onCancel }: RejectFormProps) {
  const { mutateAsync } = useDecide()
  const draftName = rejectDraft(vehicle.id)
  const { values, register, pending, formProps, getValues } = useForm({
    defaultValues: { reason: readDraftText(draftName) ?? '' },
    validate,
    async onSubmit({ reason }) {
      await mutateAsync({ action: 'reject', vehicle, reason: reason.trim() })
      saveDraft(draftName, undefined)
      onDone()
    },
    fieldError: (error) => ({ reason: errorMessage(error) }),
  })
  return (
    <form noValidate className="grid gap-4" {...formProps} onChange={() => saveDraft(draftName, getValues().reason)}>
      <TextArea label={m.admin_reject_reason()} rows={4} maxCharacters={REJECT_REASON_MAX} {...register('reason')} />
      <DialogButtons
        onCancel={onCancel}
        type="submit"
        disabled={!hasVisibleCharacter(values.reason)}
        pending={pending}
        pendingText={m.admin_reject_pending()}
      >
        {m.admin_reject_submit()}
      </DialogButtons>
    </form>
  )
}
