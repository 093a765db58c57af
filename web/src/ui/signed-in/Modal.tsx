import clsx from 'clsx'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { lockPageForModal } from '~/lib/page/modal-state'

/** What `Dialog` and `ConfirmDialog` have in common. */
export type ModalProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** What gets the focus at first, where that is not the first control. */
  initialFocus?: () => HTMLElement | null
  /** Where the focus goes afterwards, when the button that opened it leaves the page; without, or by null, it goes back to that. */
  finalFocus?: () => HTMLElement | null
  children: ReactNode
}

type Props = ModalProps & {
  role: 'dialog' | 'alertdialog'
  wide?: boolean
  /** Beside the title. */
  headerAction?: ReactNode
}

/** On phones it sits low, within reach of the thumb. Closed, it stays on the page until it has faded. */
const dialogClass =
  'fixed inset-x-4 top-auto bottom-4 z-50 m-auto w-auto max-h-[calc(100dvh-2rem)] max-w-lg overflow-y-auto overscroll-contain ' +
  'rounded-2xl border border-line bg-surface text-ink shadow-float sm:inset-y-4 ' +
  'translate-y-2 opacity-0 transition-[opacity,translate,display,overlay] transition-discrete duration-150 ' +
  'open:translate-y-0 open:opacity-100 starting:open:translate-y-2 starting:open:opacity-0 ' +
  'backdrop:bg-black/50 backdrop:opacity-0 backdrop:transition-[opacity,display,overlay] backdrop:transition-discrete ' +
  'backdrop:duration-150 open:backdrop:opacity-100 starting:open:backdrop:opacity-0'

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * The browser's own modal dialog: it lies over everything, what is behind it can be neither reached nor read, and the
 * focus goes back afterwards. Here are the Tab key, which stays inside, and a page that says whether it may close.
 */
export function Modal({ role, open, onOpenChange, wide, title, description, headerAction, children, ...focus }: Props) {
  const id = useId()
  const dialogRef = useRef<HTMLDialogElement>(null)
  const pressedBackdrop = useRef(false)
  const [mounted, setMounted] = useState(open)
  const [, setCloseCount] = useState(0)
  if (open && !mounted) setMounted(true)

  // after every render: where the browser closed it and the page does not agree, it opens again
  useLayoutEffect(() => {
    if (!open || !dialogRef.current || dialogRef.current.open) return
    dialogRef.current.showModal()
    focus.initialFocus?.()?.focus()
  })
  const close = useEffectEvent((shown: HTMLDialogElement) => {
    shown.close()
    focus.finalFocus?.()?.focus()
  })
  useLayoutEffect(() => {
    if (open) return lockPageForModal()
    if (!dialogRef.current) return
    close(dialogRef.current)
    let reopened = false
    const fadedOut = Promise.allSettled(dialogRef.current.getAnimations().map(({ finished }) => finished))
    void fadedOut.then(() => reopened || setMounted(false))
    return () => {
      reopened = true
    }
  }, [open])

  if (!mounted) return null
  const dismiss = () => onOpenChange(false)
  const isBackdrop = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }) =>
    open && role === 'dialog' && target === currentTarget
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what every dialog is closed by
    <dialog
      ref={dialogRef}
      role={role}
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      tabIndex={-1} // a press on text in it leaves the focus here
      className={clsx(dialogClass, wide && 'max-w-4xl!')}
      onKeyDown={(event) => {
        if (event.key === 'Tab') trapFocus(event)
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault() // pressed twice the browser would close it without asking
        dismiss()
      }}
      onCancel={(event) => {
        event.preventDefault()
        dismiss()
      }}
      onClose={() => {
        if (!open || dialogRef.current?.open) return
        dismiss()
        setCloseCount((closings) => closings + 1)
      }}
      onPointerDown={(event: PointerEvent) => {
        pressedBackdrop.current = isBackdrop(event)
      }}
      onClick={(event) => {
        if (pressedBackdrop.current && isBackdrop(event)) dismiss()
      }}
    >
      {/*
        Fills the sheet: only what is pressed beside it meets the dialog itself. While that fades it takes a second
        press, which else would meet what lies behind.
      */}
      <div className="grid gap-4 p-6" inert={!open}>
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${id}-title`} className="text-xl font-extrabold">
            {title}
          </h2>
          {headerAction}
        </div>
        {description && (
          <p id={`${id}-description`} className="text-ink-soft">
            {description}
          </p>
        )}
        {children}
      </div>
    </dialog>,
    document.body,
  )
}

/** Tab goes round: by itself it would leave for the browser's own controls. */
function trapFocus(event: KeyboardEvent<HTMLDialogElement>) {
  const dialog = event.currentTarget
  const focusable = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0,
  )
  const [from, to] = event.shiftKey ? [focusable[0], focusable.at(-1)] : [focusable.at(-1), focusable[0]]
  const at = document.activeElement
  if (at !== from && !(at === dialog && event.shiftKey)) return
  event.preventDefault()
  to?.focus()
}
