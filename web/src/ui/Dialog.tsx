import { Dialog as Base } from '@base-ui/react/dialog'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { m } from '~/paraglide/messages'
import { buttonClass } from './button-class.ts'
import { dialogClass } from './dialog-class.ts'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** For pictures: as wide as the screen allows. */
  wide?: boolean
  /** What gets the focus at first, where that is not the first control. */
  initialFocus?: ComponentProps<typeof Base.Popup>['initialFocus']
  /** Where the focus goes afterwards, when the button that opened it has left the page; else it goes back to that. */
  finalFocus?: ComponentProps<typeof Base.Popup>['finalFocus']
  children: ReactNode
}

/** A modal sheet: the focus stays inside and goes back afterwards; Escape and a press outside close it. */
export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, wide = false, initialFocus, finalFocus, children } = props
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={dialogClass.backdrop} />
        <Base.Popup
          className={clsx(dialogClass.popup, wide && 'max-w-4xl!')}
          initialFocus={initialFocus}
          finalFocus={finalFocus}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className={dialogClass.title}>{title}</Base.Title>
            <Base.Close aria-label={m.action_close()} className={buttonClass('ghost', 'icon', '-mt-2 -mr-2')}>
              <X aria-hidden="true" className="size-5" />
            </Base.Close>
          </div>
          {description && <Base.Description className={dialogClass.description}>{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
