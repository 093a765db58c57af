import { type ComponentProps, useRef, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Modal, type ModalProps } from './Modal.tsx'

type Props = Omit<ModalProps, 'children' | 'initialFocus' | 'finalFocus'> & {
  /** Below the description: details, or why the last attempt failed. */
  children?: ModalProps['children']
  /** Names what happens: 'Delete vehicle', never 'OK'. */
  confirmText: string
  pendingText?: string | undefined
  /** Does it, and says what failed. The dialog is pending meanwhile, and closes then unless this resolves with false. */
  onConfirm: () => unknown
  /** Returns what gets the focus once it is done, as the button that opened the dialog is gone then. */
  focusAfter?: (() => HTMLElement | null) | undefined
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({ children, confirmText, pendingText, onConfirm, focusAfter, ...modal }: Props) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  const [pending, setPending] = useState(false)
  const close = (done: boolean) => {
    isDone.current = done
    modal.onOpenChange(false)
  }
  const cancel = () => !pending && close(false)
  const confirm = () => {
    const work = onConfirm()
    if (!(work instanceof Promise)) return close(true)
    setPending(true)
    void work
      .then((outcome) => outcome !== false && close(true))
      .catch(() => close(false))
      .finally(() => setPending(false))
  }
  return (
    <Modal
      {...modal}
      role="alertdialog"
      onOpenChange={cancel}
      initialFocus={() => cancelButton.current}
      finalFocus={() => (isDone.current && focusAfter ? focusAfter() : null)}
    >
      {children}
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button ref={cancelButton} onClick={cancel}>
          {m.action_cancel()}
        </Button>
        <Button variant="danger" onClick={confirm} pending={pending} pendingText={pendingText}>
          {confirmText}
        </Button>
      </div>
    </Modal>
  )
}

type ConfirmButtonProps = ComponentProps<typeof Button> & { confirm: Omit<Props, 'open' | 'onOpenChange'> }

/** Shows a button that asks for confirmation. */
export function ConfirmButton({ confirm, ...button }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      <ConfirmDialog {...confirm} open={open} onOpenChange={setOpen} />
    </>
  )
}
