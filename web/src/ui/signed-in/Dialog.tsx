import { X } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { Modal, type ModalProps } from './Modal.tsx'

type Props = ModalProps & {
  /** For images: as wide as the screen allows. */
  wide?: boolean
}

/** Shows a modal dialog: the focus stays inside and returns afterwards; Escape and a click outside close it. */
export function Dialog(props: Props) {
  return (
    <Modal
      {...props}
      role="dialog"
      headerAction={
        <button
          type="button"
          aria-label={m.action_close()}
          className={buttonClass('ghost', 'icon', '-mt-2 -mr-2')}
          onClick={() => props.onOpenChange(false)}
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      }
    />
  )
}
