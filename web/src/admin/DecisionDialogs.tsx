import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { Dialog } from '~/ui/signed-in/Dialog'
import type { Decision, VehicleRef } from './optimistic-decisions.ts'
import { RejectForm } from './RejectForm.tsx'
import { usePendingDecisions } from './use-decide.ts'

/** A decision to confirm, and what the admin should know before taking it, line by line (`text`). */
export type PendingDecision = {
  action: Decision['action']
  vehicle: VehicleRef
  text: string[]
  /** Whether an approval is known to take the plate from somebody else. */
  affectsOthers: boolean
}

type Props = {
  pending: PendingDecision | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called for approvals and deletions; the dialog of a rejection sends its reason itself and calls `onRejected`. */
  onDecide: (decision: Decision) => void
  onRejected: (vehicle: VehicleRef) => void
  /** Called once a dialog has closed and the focus is back on the button that was pressed, if that still exists. */
  focusAfter: () => null
}

/** Asks an admin to confirm a decision, or for the reason of a rejection. */
export function DecisionDialogs({ pending, open, onOpenChange, onDecide, onRejected, focusAfter }: Props) {
  const sending = usePendingDecisions().some(({ action }) => action === 'reject')
  const plate = pending?.vehicle.plate ?? ''
  const isOpenFor = (action: Decision['action']) => open && pending?.action === action
  return (
    <>
      <ConfirmDialog
        open={isOpenFor('approve')}
        onOpenChange={onOpenChange}
        title={m.admin_approve_title({ plate })}
        description={<Lines lines={pending?.text ?? []} />}
        confirmText={pending?.affectsOthers ? m.admin_approve_confirm() : m.admin_approve()}
        onConfirm={() => pending && onDecide({ action: 'approve', vehicle: pending.vehicle })}
        finalFocus={focusAfter}
      />
      <ConfirmDialog
        open={isOpenFor('delete')}
        onOpenChange={onOpenChange}
        title={m.admin_delete_title({ plate })}
        description={<Lines lines={pending?.text ?? []} />}
        confirmText={m.vehicles_delete_confirm()}
        onConfirm={() => pending && onDecide({ action: 'delete', vehicle: pending.vehicle })}
        finalFocus={focusAfter}
      />
      <Dialog
        open={isOpenFor('reject')}
        // stays open until the response arrives, because it shows why a rejection failed
        onOpenChange={(next) => !sending && onOpenChange(next)}
        title={m.admin_reject_title({ plate })}
        description={<Lines lines={pending?.text ?? []} />}
        initialFocus={() => document.querySelector<HTMLTextAreaElement>('textarea[name=reason]')}
        finalFocus={focusAfter}
      >
        {pending && (
          <RejectForm
            vehicle={pending.vehicle}
            onDone={() => onRejected(pending.vehicle)}
            onCancel={() => onOpenChange(false)}
          />
        )}
      </Dialog>
    </>
  )
}

/** Shows several lines in the one paragraph of a dialog's description. */
function Lines({ lines }: { lines: string[] }) {
  return lines.map((line) => (
    <span key={line} className="block wrap-anywhere not-first:mt-2">
      {line}
    </span>
  ))
}
