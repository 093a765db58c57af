import clsx from 'clsx'
import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { type FocusEvent, useEffect, useRef } from 'react'
import { useMatches } from 'react-router'
import { shownToast } from '~/lib/toast/toast'
import { m } from '~/paraglide/messages'
import { Button } from './Button.tsx'

/** How long a toast stays; as long again while the pointer or the focus is in it. */
const VISIBLE_MS = 6000

const styles = {
  success: { Icon: CircleCheck, colour: 'text-good' },
  warning: { Icon: TriangleAlert, colour: 'text-warn' },
  error: { Icon: CircleAlert, colour: 'text-danger' },
}

/**
 * Renders the toast (lib/toast/toast.ts) as a bar along the lower edge of the window: the page ends above it. Each layout has
 * it at the end of its page, so that it is there before the first toast, and leaves room below its content (`pb-22`), which is
 * as high as the bar: whatever the bar hides can be scrolled free, and controls are.
 *
 * @param props.className the width of the page's content, which the text is in line with
 */
export function Toasts({ className }: { className: string }) {
  const shown = shownToast.useValue()
  const region = useRef<HTMLElement>(null)
  const returnFocusTo = useRef<EventTarget | null>(null)
  const page = useMatches().at(-1)?.id ?? ''
  const id = shown?.id

  useEffect(() => shownToast.enterPage(page), [page])
  useEffect(() => {
    addEventListener('pagehide', shownToast.remove) // the page may come back as it was
    return () => removeEventListener('pagehide', shownToast.remove)
  }, [])
  useEffect(() => {
    if (id === undefined) return
    const isInUse = () => region.current?.matches(':hover, :focus-within')
    const timer = setInterval(() => isInUse() || shownToast.remove(), VISIBLE_MS)
    return () => clearInterval(timer)
  }, [id])
  useEffect(() => {
    const bar = region.current
    if (id === undefined || !bar) return
    const content = new ResizeObserver(() => uncoverControls(bar)) // at once, and when the page has loaded more
    for (const main of document.querySelectorAll('main')) content.observe(main)
    const stopFollowing = followKeyboard(bar)
    return () => {
      content.disconnect()
      stopFollowing?.()
    }
  }, [id])

  const onFocus = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) returnFocusTo.current = relatedTarget
  }
  /** Removes the toast; the focus returns to where it was. */
  const close = () => {
    const before = returnFocusTo.current
    if (region.current?.contains(document.activeElement) && before instanceof HTMLElement) {
      before.focus({ preventScroll: true })
    }
    shownToast.remove()
  }

  const { Icon, colour } = styles[shown?.kind ?? 'success']
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices that the pointer or the focus is inside
    <section
      ref={region}
      aria-label={m.toasts_label()}
      aria-live="polite"
      aria-relevant="additions text"
      className="toasts sticky bottom-0 z-10 h-0 print:hidden"
      onFocus={onFocus}
    >
      {shown && (
        <div className="absolute inset-x-0 bottom-0 border-t border-line-strong bg-surface text-ink transition duration-200 starting:translate-y-full">
          <div className={clsx('flex items-center gap-3 py-1.5', className)}>
            <Icon aria-hidden="true" className={clsx('size-5 shrink-0', colour)} />
            {/* the key: the same text once more is announced once more */}
            <p key={id} className="min-w-0 flex-1 py-1 leading-snug font-bold wrap-anywhere">
              {shown.text}
            </p>
            <Button variant="ghost" size="icon" className="-mr-3" aria-label={m.action_close()} onClick={close}>
              <X aria-hidden="true" className="size-5" />
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}

/**
 * Moves the page up where the bar would hide buttons, links or fields. Not far, since in a long list of them there is always
 * another, and not at its top, where the heading would go, unless the page is at its end then: otherwise only what has the focus is
 * moved out.
 */
function uncoverControls(region: HTMLElement) {
  const height = region.firstElementChild?.clientHeight ?? 0
  const edge = region.getBoundingClientRect().bottom
  const controls = [...document.querySelectorAll('main :is(a, button, input, select, textarea, summary)')]
  const covering = (elements: Element[], movedBy: number) => {
    const boxes = elements.map((element) => element.getBoundingClientRect())
    const hidden = boxes.filter(({ top, bottom }) => top - movedBy < edge && bottom - movedBy > edge - height)
    return Math.max(0, ...hidden.map(({ bottom }) => bottom - (edge - height) + 8))
  }
  let by = covering(controls, 0)
  for (let more = by; more > 0 && by <= 3 * height; by = Math.max(by, more)) more = covering(controls, by)
  const inUse = controls.filter((control) => control === document.activeElement)
  const untilEnd = document.documentElement.scrollHeight - innerHeight - by
  const mayMove = by <= 3 * height && (scrollY > 0 || untilEnd < height)
  scrollBy({ top: mayMove ? by : covering(inUse, 0) })
}

/** Keeps the region above the keyboard of a phone, which covers the page without making it smaller. */
function followKeyboard(region: HTMLElement) {
  const screen = window.visualViewport
  if (!screen) return
  const follow = () => {
    const hidden = innerHeight - screen.height - screen.offsetTop
    region.style.translate = hidden > 1 ? `0 ${-hidden}px` : ''
  }
  follow()
  screen.addEventListener('resize', follow)
  screen.addEventListener('scroll', follow)
  return () => {
    screen.removeEventListener('resize', follow)
    screen.removeEventListener('scroll', follow)
  }
}
