import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from './Button.tsx'
import { buttonClass } from './button-class.ts'
import { dialogClass } from './dialog-class.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** Under the description: what it is about in detail, why the last try failed. */
  children?: ReactNode
  /** The verb of what happens: 'Delete vehicle', never 'OK'. */
  confirmText: string
  onConfirm: () => void
  pending?: boolean
  pendingText?: string
  /** Where the focus goes afterwards, when the button that asked has left the page; else it goes back to that. */
  finalFocus?: ComponentProps<typeof Base.Popup>['finalFocus']
}

/** Asks before something that cannot be undone. The page closes it when the deed is done. */
export function ConfirmDialog(props: Props) {
  const {
    open,
    onOpenChange,
    title,
    description,
    children,
    confirmText,
    onConfirm,
    pending = false,
    pendingText,
    finalFocus,
  } = props
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={dialogClass.backdrop} />
        <Base.Popup className={dialogClass.popup} initialFocus={cancel} finalFocus={finalFocus}>
          <Base.Title className={dialogClass.title}>{title}</Base.Title>
          <Base.Description className={dialogClass.description}>{description}</Base.Description>
          {children}
          <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
            <Base.Close ref={cancel} className={buttonClass('secondary')}>
              {m.action_cancel()}
            </Base.Close>
            <Button variant="danger" onClick={onConfirm} pending={pending} {...(pendingText && { pendingText })}>
              {confirmText}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
