import clsx from 'clsx'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Link } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'

type Props = {
  /** Says to screen readers what the actions are about. */
  about: ReactNode
  /** `MenuButton`s, `MenuLink`s and other list items. */
  children: ReactNode
}

/**
 * Shows a button that opens a list of what is rarely needed. Choosing and Escape close it and return the focus to the button, where it
 * also is when a dialog that was chosen closes. A press outside and leaving it with the Tab key close it too.
 */
export function Menu({ about, children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus({ preventScroll: true })
  }
  const closeByKey = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') closeByKey()
    }
    const onLeave = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('pointerdown', onLeave)
    document.addEventListener('focusin', onLeave)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('pointerdown', onLeave)
      document.removeEventListener('focusin', onLeave)
    }
  }, [isOpen])
  return (
    <div ref={box} className="relative">
      <Button
        ref={button}
        variant="ghost"
        size="icon"
        className="text-ink-soft"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden="true" className="size-5" />
        <span className="sr-only">
          {m.action_more()} {about}
        </span>
      </Button>
      {isOpen && (
        <ul
          ref={showWhole}
          id={id}
          className="absolute top-full right-0 z-10 mt-1 grid w-max max-w-72 min-w-52 scroll-mb-4 rounded-xl border border-line bg-surface p-1.5 shadow-float"
        >
          <CloseMenu value={close}>{children}</CloseMenu>
        </ul>
      )}
    </div>
  )
}

const CloseMenu = createContext(() => {})

const showWhole = (list: HTMLElement | null) => list?.scrollIntoView({ block: 'nearest' })

const itemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-lg px-3 py-2 text-left font-semibold hover:bg-sunken active:bg-sunken'

type ButtonProps = { icon: LucideIcon; danger?: boolean; onClick: () => void; children: ReactNode }

/** Shows an action in a menu. */
export function MenuButton({ icon: Icon, danger, onClick, children }: ButtonProps) {
  const close = use(CloseMenu)
  return (
    <li>
      <button
        type="button"
        className={clsx(itemClass, danger && 'text-danger')}
        onClick={() => {
          close() // first, so that a dialog returns the focus to the button of the menu
          onClick()
        }}
      >
        <Icon aria-hidden="true" className="size-5 shrink-0" />
        <span>{children}</span>
      </button>
    </li>
  )
}

type LinkProps = { icon: LucideIcon; to: string; children: ReactNode }

/** Shows a link in a menu. */
export function MenuLink({ icon: Icon, to, children }: LinkProps) {
  const close = use(CloseMenu)
  return (
    <li>
      <Link to={to} className={itemClass} onClick={close}>
        <Icon aria-hidden="true" className="size-5 shrink-0" />
        <span>{children}</span>
      </Link>
    </li>
  )
}
