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
import { coverPage } from '~/lib/covered-page'

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
  corner?: ReactNode
}

/** On phones it sits low, within reach of the thumb. Closed, it stays on the page until it has faded. */
const sheetClass =
  'fixed inset-x-4 top-auto bottom-4 z-50 m-auto w-auto max-h-[calc(100dvh-2rem)] max-w-lg overflow-y-auto overscroll-contain ' +
  'rounded-2xl border border-line bg-surface text-ink shadow-float sm:inset-y-4 ' +
  'translate-y-2 opacity-0 transition-[opacity,translate,display,overlay] transition-discrete duration-150 ' +
  'open:translate-y-0 open:opacity-100 starting:open:translate-y-2 starting:open:opacity-0 ' +
  'backdrop:bg-black/50 backdrop:opacity-0 backdrop:transition-[opacity,display,overlay] backdrop:transition-discrete ' +
  'backdrop:duration-150 open:backdrop:opacity-100 starting:open:backdrop:opacity-0'

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * The browser's own modal dialog: it lies over everything, what is behind it can be neither reached nor read, and the
 * focus goes back afterwards. Here are the Tab key, which stays inside, and a page that says whether it may close.
 */
export function Modal({ role, open, onOpenChange, wide, title, description, corner, children, ...focus }: Props) {
  const id = useId()
  const sheet = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
  const [present, setPresent] = useState(open)
  const [, setClosings] = useState(0)
  if (open && !present) setPresent(true)

  // after every render: where the browser closed it and the page does not agree, it opens again
  useLayoutEffect(() => {
    if (!open || !sheet.current || sheet.current.open) return
    sheet.current.showModal()
    focus.initialFocus?.()?.focus()
  })
  const close = useEffectEvent((shown: HTMLDialogElement) => {
    shown.close()
    focus.finalFocus?.()?.focus()
  })
  useLayoutEffect(() => {
    if (open) return coverPage()
    if (!sheet.current) return
    close(sheet.current)
    let opened = false
    const faded = Promise.allSettled(sheet.current.getAnimations().map(({ finished }) => finished))
    void faded.then(() => opened || setPresent(false))
    return () => {
      opened = true
    }
  }, [open])

  if (!present) return null
  const dismiss = () => onOpenChange(false)
  const isBeside = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }) =>
    open && role === 'dialog' && target === currentTarget
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- what every dialog is closed by
    <dialog
      ref={sheet}
      role={role}
      aria-modal="true"
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      tabIndex={-1} // a press on text in it leaves the focus here
      className={clsx(sheetClass, wide && 'max-w-4xl!')}
      onKeyDown={(event) => {
        if (event.key === 'Tab') keepInside(event)
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.preventDefault() // pressed twice the browser would close it without asking
        dismiss()
      }}
      onCancel={(event) => {
        event.preventDefault()
        dismiss()
      }}
      onClose={() => {
        if (!open || sheet.current?.open) return
        dismiss()
        setClosings((closings) => closings + 1)
      }}
      onPointerDown={(event: PointerEvent) => {
        pressedBeside.current = isBeside(event)
      }}
      onClick={(event) => {
        if (pressedBeside.current && isBeside(event)) dismiss()
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
          {corner}
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
function keepInside(event: KeyboardEvent<HTMLDialogElement>) {
  const sheet = event.currentTarget
  const stops = [...sheet.querySelectorAll<HTMLElement>(STOPS)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.getClientRects().length > 0,
  )
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
  const at = document.activeElement
  if (at !== from && !(at === sheet && event.shiftKey)) return
  event.preventDefault()
  to?.focus()
}
