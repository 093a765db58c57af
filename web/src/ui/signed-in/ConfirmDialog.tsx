import { type ComponentProps, type MouseEvent, useRef, useState } from 'react'
import { Button } from '~/ui/Button'
import { Dialog, DialogButtons, type DialogProps } from './Dialog.tsx'

type Props = Omit<DialogProps, 'role' | 'wide' | 'children' | 'initialFocus' | 'finalFocus'> & {
  /** Below the description: details, or why the last attempt failed. */
  children?: DialogProps['children']
  /** Names what happens: 'Delete vehicle', never 'OK'. */
  confirmText: string
  pendingText?: string | undefined
  /** Does it, and says what failed. The dialog is pending meanwhile, and closes then unless this resolves with false. */
  onConfirm: () => unknown
  /** Returns what gets the focus once it is done, as the button that opened the dialog is gone then. */
  focusAfter?: (() => HTMLElement | null) | undefined
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({ children, confirmText, pendingText, onConfirm, focusAfter, ...dialog }: Props) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  const isDone = useRef(false)
  const [pending, setPending] = useState(false)
  const close = (done: boolean) => {
    isDone.current = done
    dialog.onOpenChange(false)
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
    <Dialog
      {...dialog}
      role="alertdialog"
      onOpenChange={cancel}
      initialFocus={() => cancelButton.current}
      finalFocus={() => (isDone.current && focusAfter ? focusAfter() : null)}
    >
      {children}
      <DialogButtons cancelRef={cancelButton} onCancel={cancel} {...{ pending, pendingText }} onClick={confirm}>
        {confirmText}
      </DialogButtons>
    </Dialog>
  )
}

type ConfirmButtonProps = ComponentProps<typeof Button> & {
  confirm: Omit<Props, 'open' | 'onOpenChange' | 'focusAfter'>
}

/**
 * Shows a button that asks for confirmation of what removes the button too, with the item of a list it may be in. The focus then
 * goes to the innermost element around them that can have it (`tabIndex={-1}`).
 */
export function ConfirmButton({ confirm, ...button }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  const around = useRef<HTMLElement>(null)
  const ask = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    around.current = currentTarget.closest<HTMLElement>('[tabindex="-1"]:not(li)')
    setOpen(true)
  }
  return (
    <>
      <Button {...button} onClick={ask} />
      <ConfirmDialog {...confirm} open={open} onOpenChange={setOpen} focusAfter={() => around.current} />
    </>
  )
}
