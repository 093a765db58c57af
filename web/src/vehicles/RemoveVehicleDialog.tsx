import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/signed-in/ConfirmDialog'
import type { RemovalReason, useRemoveVehicle } from './use-remove-vehicle.ts'

type DialogTexts = { title: (facts: { plate: string }) => string; text: () => string; confirm: () => string }

const textsByReason: Record<RemovalReason, DialogTexts> = {
  deleted: { title: m.vehicles_delete_title, text: m.vehicles_delete_text, confirm: m.vehicles_delete_confirm },
  sold: { title: m.vehicles_sold_title, text: m.vehicles_sold_text, confirm: m.vehicles_sold_confirm },
  withdrawn: { title: m.vehicles_withdraw_title, text: m.vehicles_withdraw_text, confirm: m.vehicles_withdraw_confirm },
}

type Props = ReturnType<typeof useRemoveVehicle>['dialog'] & {
  /** Returns where the focus goes once the vehicle has left the page. */
  focusAfter: () => HTMLElement | null
}

/** Asks to confirm the deletion of a vehicle, in words that fit the reason. */
export function RemoveVehicleDialog({ pending, open, onOpenChange, onConfirm, wasConfirmed, focusAfter }: Props) {
  const { title, text, confirm } = textsByReason[pending?.reason ?? 'deleted']
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title({ plate: pending?.vehicle.plate ?? '' })}
      description={text()}
      confirmText={confirm()}
      onConfirm={() => pending && void onConfirm(pending)}
      finalFocus={() => (wasConfirmed() ? focusAfter() : null)}
    />
  )
}
