import { useRef } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Modal, type ModalProps } from './Modal.tsx'

type Props = Omit<ModalProps, 'children' | 'initialFocus'> & {
  /** Below the description: details, or why the last attempt failed. */
  children?: ModalProps['children']
  /** Names what happens: 'Delete vehicle', never 'OK'. */
  confirmText: string
  onConfirm: () => void
  pending?: boolean
  pendingText?: string
}

/** Asks for confirmation of something that cannot be undone. The page closes it when that is done. */
export function ConfirmDialog({ children, confirmText, onConfirm, pending = false, pendingText, ...modal }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Modal {...modal} role="alertdialog" initialFocus={() => cancel.current}>
      {children}
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button ref={cancel} onClick={() => modal.onOpenChange(false)}>
          {m.action_cancel()}
        </Button>
        <Button variant="danger" onClick={onConfirm} pending={pending} {...(pendingText && { pendingText })}>
          {confirmText}
        </Button>
      </div>
    </Modal>
  )
}
