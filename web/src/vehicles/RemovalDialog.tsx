import { m } from '~/paraglide/messages'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import type { RemovalReason, useRemoval } from './use-removal.ts'

type Words = { title: (facts: { plate: string }) => string; text: () => string; confirm: () => string }

const words: Record<RemovalReason, Words> = {
  deleted: { title: m.vehicles_delete_title, text: m.vehicles_delete_text, confirm: m.vehicles_delete_confirm },
  sold: { title: m.vehicles_sold_title, text: m.vehicles_sold_text, confirm: m.vehicles_sold_confirm },
  withdrawn: { title: m.vehicles_withdraw_title, text: m.vehicles_withdraw_text, confirm: m.vehicles_withdraw_confirm },
}

type Props = ReturnType<typeof useRemoval>['dialog'] & {
  /** Where the focus goes when the vehicle has left the page. */
  focusAfter: () => HTMLElement | null
}

/** Asks before an own vehicle is deleted, in the words of the reason. */
export function RemovalDialog({ asked, open, onOpenChange, onConfirm, isRemoved, focusAfter }: Props) {
  const { title, text, confirm } = words[asked?.reason ?? 'deleted']
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={title({ plate: asked?.vehicle.plate ?? '' })}
      description={text()}
      confirmText={confirm()}
      onConfirm={() => asked && onConfirm(asked)}
      finalFocus={() => (isRemoved() ? focusAfter() : null)}
    />
  )
}
