import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { type FocusEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Toast, toastStore } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { buttonClass } from './button-class.ts'

const VISIBLE_MS = 6000

const styles = {
  success: { Icon: CircleCheck, colour: 'text-good' },
  warning: { Icon: TriangleAlert, colour: 'text-warn' },
  error: { Icon: CircleAlert, colour: 'text-danger' },
}

/** Renders the toasts (lib/toast/toast.ts). Each layout renders it once, so that it is on the page before the first toast. */
export function Toasts() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.current, toastStore.current)
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const region = useRef<HTMLElement>(null)
  const returnFocusTo = useRef<EventTarget | null>(null)
  const empty = shown.length === 0
  if (empty && (hovered || focused)) {
    // an element removed from under the pointer or the focus sends no event
    setHovered(false)
    setFocused(false)
  }

  const onFocus = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) returnFocusTo.current = relatedTarget
    setFocused(true)
  }
  /** Removes a toast and moves the focus to the next one, or back to where it was. */
  const close = (id: number) => {
    const pressed = document.activeElement
    const other = [...(region.current?.querySelectorAll('button') ?? [])].find((button) => button !== pressed)
    const next = other ?? returnFocusTo.current
    if (region.current?.contains(pressed) && next instanceof HTMLElement) next.focus({ preventScroll: true })
    toastStore.remove(id)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices that the pointer or the focus is inside
    <section
      ref={region}
      aria-label={m.toasts_label()}
      aria-live="polite"
      aria-relevant="additions text"
      className="pointer-events-none fixed inset-x-4 top-4 z-50 mx-auto max-w-90 print:hidden"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={onFocus}
      onBlur={({ relatedTarget, currentTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      {!empty && (
        <ol className="grid gap-3">
          {shown.map((item) => (
            <ToastItem key={item.id} toast={item} paused={hovered || focused} onClose={() => close(item.id)} />
          ))}
        </ol>
      )}
    </section>
  )
}

type ItemProps = { toast: Toast; paused: boolean; onClose: () => void }

/** Removes itself after a while, but not while `paused`, when the pointer or the focus is on any of them. */
function ToastItem({ toast: { id, kind, text }, paused, onClose }: ItemProps) {
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => toastStore.remove(id), VISIBLE_MS)
    return () => clearTimeout(timer)
  }, [id, paused])

  const { Icon, colour } = styles[kind]
  return (
    <li className="pointer-events-auto flex items-start gap-3 rounded-xl border border-line bg-surface py-1.5 pr-1.5 pl-4 text-ink shadow-float transition duration-200 starting:-translate-y-3 starting:opacity-0">
      <Icon aria-hidden="true" className={`mt-3 size-5 shrink-0 ${colour}`} />
      <p className="flex-1 py-2.5 font-bold leading-snug wrap-anywhere">{text}</p>
      <button type="button" aria-label={m.action_close()} className={buttonClass('ghost', 'icon')} onClick={onClose}>
        <X aria-hidden="true" className="size-5" />
      </button>
    </li>
  )
}
