import clsx from 'clsx'
import { X } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { lockPageForModal } from '~/lib/page/modal-state'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  /** Returns what gets the focus on opening, unless that is the first control. */
  initialFocus?: () => HTMLElement | null
  /** Returns what gets the focus on closing, when the button that opened the dialog is removed; null or none means that button. */
  finalFocus?: () => HTMLElement | null
  /** An `alertdialog` asks something: it closes by its buttons alone, and by Escape. */
  role?: 'dialog' | 'alertdialog'
  /** For images: as wide as the screen allows. */
  wide?: boolean
  children: ReactNode
}

/** On phones it is at the bottom, within reach of the thumb. A closed one stays on the page until it has faded out. */
const dialogClass =
  'fixed inset-x-4 top-auto bottom-4 z-50 m-auto w-auto max-h-[calc(100dvh-2rem)] max-w-lg overflow-y-auto overscroll-contain ' +
  'rounded-2xl border border-line bg-surface text-ink shadow-float sm:inset-y-4 ' +
  'translate-y-2 opacity-0 transition-[opacity,translate,display,overlay] transition-discrete duration-150 ' +
  'open:translate-y-0 open:opacity-100 starting:open:translate-y-2 starting:open:opacity-0 ' +
  'backdrop:bg-black/50 backdrop:opacity-0 backdrop:transition-[opacity,display,overlay] backdrop:transition-discrete ' +
  'backdrop:duration-150 open:backdrop:opacity-100 starting:open:backdrop:opacity-0'

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * Shows the browser's own modal dialog: it covers everything, what is behind it is inert, and the focus returns afterwards.
 * Adds that the Tab key stays inside, and that the page decides whether the dialog closes.
 */
export function Dialog({
  role = 'dialog',
  open,
  onOpenChange,
  wide,
  title,
  description,
  children,
  ...focus
}: DialogProps) {
  const id = useId()
  const dialogRef = useRef<HTMLDialogElement>(null)
  const pressedBackdrop = useRef(false)
  const [mounted, setMounted] = useState(open)
  const [, setCloseCount] = useState(0)
  if (open && !mounted) setMounted(true)

  // after every render: opens again if the browser closed it and the page did not
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and a click outside close every dialog
    <dialog
      ref={dialogRef}
      role={role}
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      tabIndex={-1} // a click on text inside keeps the focus here
      className={clsx(dialogClass, wide && 'max-w-4xl!')}
      onKeyDown={(event) => {
        if (event.key === 'Tab') trapFocus(event)
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault() // pressed twice, the browser would close it without a cancel event
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
        Fills the dialog, so that only a click outside it targets the dialog element. While the dialog fades out, it
        catches a second click, which would otherwise reach what is behind.
      */}
      <div className="grid gap-4 p-6 max-[18rem]:p-3" inert={!open}>
        <div className="flex items-start justify-between gap-4">
          <h2 id={`${id}-title`} className="text-xl font-extrabold">
            {title}
          </h2>
          {role === 'dialog' && (
            <Button variant="ghost" size="icon" className="-mt-2 -mr-2" aria-label={m.action_close()} onClick={dismiss}>
              <X aria-hidden="true" className="size-5" />
            </Button>
          )}
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

/** Makes the Tab key wrap around; otherwise it would move on to the browser's own controls. */
function trapFocus(event: KeyboardEvent<HTMLDialogElement>) {
  const dialog = event.currentTarget
  const focusable = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.getClientRects().length > 0,
  )
  const [from, to] = event.shiftKey ? [focusable[0], focusable.at(-1)] : [focusable.at(-1), focusable[0]]
  const at = document.activeElement
  if (at !== from && !(at === dialog && event.shiftKey)) return
  event.preventDefault()
  to?.focus()
}

type ButtonsProps = ComponentProps<typeof Button> & { onCancel: () => void; cancelRef?: Ref<HTMLButtonElement> }

/** Ends a dialog with the button that does what it asks about, and the one that does not. */
export function DialogButtons({ onCancel, cancelRef, ...action }: ButtonsProps) {
  return (
    <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
      <Button ref={cancelRef} onClick={onCancel}>
        {m.action_cancel()}
      </Button>
      <Button variant="danger" {...action} />
    </div>
  )
}
