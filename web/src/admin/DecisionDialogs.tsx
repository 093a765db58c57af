import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { Dialog } from '~/ui/Dialog'
import type { DecidedVehicle, Decision } from './decisions.ts'
import { RejectForm } from './RejectForm.tsx'
import { useDecisionsUnderWay } from './use-decide.ts'

/** A decision that was asked for, and what the admin should know before taking it, line by line. */
export type Asked = {
  what: Decision['what']
  vehicle: DecidedVehicle
  text: string[]
  /** Whether it is known that somebody else loses the plate by an approval. */
  overOthers: boolean
}

type Props = {
  asked: Asked | undefined
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Approvals and deletions; the dialog of a rejection sends the reason itself and then says so. */
  onDecide: (decision: Decision) => void
  onRejected: (vehicle: DecidedVehicle) => void
  /** Called when it has closed, and the focus is back at the button that was pressed where that is still there. */
  focusAfter: () => null
}

/** What is asked before an admin's decision: to be sure of it, or for its reason. */
export function DecisionDialogs({ asked, open, onOpenChange, onDecide, onRejected, focusAfter }: Props) {
  const sending = useDecisionsUnderWay().some(({ what }) => what === 'reject')
  const plate = asked?.vehicle.plate ?? ''
  const is = (what: Decision['what']) => open && asked?.what === what
  return (
    <>
      <ConfirmDialog
        open={is('approve')}
        onOpenChange={onOpenChange}
        title={m.admin_approve_title({ plate })}
        description={<Lines of={asked?.text ?? []} />}
        confirmText={asked?.overOthers ? m.admin_approve_confirm() : m.admin_approve()}
        onConfirm={() => asked && onDecide({ what: 'approve', vehicle: asked.vehicle })}
        finalFocus={focusAfter}
      />
      <ConfirmDialog
        open={is('delete')}
        onOpenChange={onOpenChange}
        title={m.admin_delete_title({ plate })}
        description={<Lines of={asked?.text ?? []} />}
        confirmText={m.vehicles_delete_confirm()}
        onConfirm={() => asked && onDecide({ what: 'delete', vehicle: asked.vehicle })}
        finalFocus={focusAfter}
      />
      <Dialog
        open={is('reject')}
        // it stays until the answer is there: a refusal is said in it
        onOpenChange={(next) => !sending && onOpenChange(next)}
        title={m.admin_reject_title({ plate })}
        description={<Lines of={asked?.text ?? []} />}
        initialFocus={() => document.querySelector<HTMLTextAreaElement>('textarea[name=reason]')}
        finalFocus={focusAfter}
      >
        {asked && (
          <RejectForm
            vehicle={asked.vehicle}
            onDone={() => onRejected(asked.vehicle)}
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
