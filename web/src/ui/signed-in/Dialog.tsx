import { X } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { buttonClass } from '~/ui/button-class'
import { Modal, type ModalProps } from './Modal.tsx'

type Props = ModalProps & {
  /** For pictures: as wide as the screen allows. */
  wide?: boolean
}

/** A modal sheet: the focus stays inside and goes back afterwards; Escape and a press outside close it. */
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
