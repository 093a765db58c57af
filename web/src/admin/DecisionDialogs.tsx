import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import { Dialog } from '~/ui/signed-in/Dialog'
import type { Decision, VehicleRef } from './optimistic-decisions.ts'
import { RejectForm } from './RejectForm.tsx'
import { usePendingDecisions } from './use-decide.ts'

/** A decision that was asked for, and what the admin should know before taking it, line by line. */
export type PendingDecision = {
  action: Decision['action']
  vehicle: VehicleRef
  text: string[]
  /** Whether it is known that somebody else loses the plate by an approval. */
  affectsOthers: boolean
}

type Props = {
  pending: PendingDecision | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Approvals and deletions; the dialog of a rejection sends the reason itself and then says so. */
  onDecide: (decision: Decision) => void
  onRejected: (vehicle: VehicleRef) => void
  /** Called when it has closed, and the focus is back at the button that was pressed where that is still there. */
  focusAfter: () => null
}

/** What is asked before an admin's decision: to be sure of it, or for its reason. */
export function DecisionDialogs({ pending, open, onOpenChange, onDecide, onRejected, focusAfter }: Props) {
  const sending = usePendingDecisions().some(({ action }) => action === 'reject')
  const plate = pending?.vehicle.plate ?? ''
  const isOpenFor = (what: Decision['action']) => open && pending?.action === what
  return (
    <>
      <ConfirmDialog
        open={isOpenFor('approve')}
        onOpenChange={onOpenChange}
        title={m.admin_approve_title({ plate })}
        description={<Lines of={pending?.text ?? []} />}
        confirmText={pending?.affectsOthers ? m.admin_approve_confirm() : m.admin_approve()}
        onConfirm={() => pending && onDecide({ action: 'approve', vehicle: pending.vehicle })}
        finalFocus={focusAfter}
      />
      <ConfirmDialog
        open={isOpenFor('delete')}
        onOpenChange={onOpenChange}
        title={m.admin_delete_title({ plate })}
        description={<Lines of={pending?.text ?? []} />}
        confirmText={m.vehicles_delete_confirm()}
        onConfirm={() => pending && onDecide({ action: 'delete', vehicle: pending.vehicle })}
        finalFocus={focusAfter}
      />
      <Dialog
        open={isOpenFor('reject')}
        // it stays until the answer is there: a refusal is said in it
        onOpenChange={(next) => !sending && onOpenChange(next)}
        title={m.admin_reject_title({ plate })}
        description={<Lines of={pending?.text ?? []} />}
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

/** In the one paragraph that a dialog's description is. */
function Lines({ of }: { of: string[] }) {
  return of.map((line) => (
    <span key={line} className="block wrap-anywhere not-first:mt-2">
      {line}
    </span>
  ))
}
