import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from '~/lib/i18n/i18n'
import { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts'

type ButtonStyle = {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Shown before the text. */
  icon?: LucideIcon | undefined
}

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    /** While true, the button shows a spinner and ignores clicks; it keeps the focus. */
    pending?: boolean
    /** The text meanwhile ('Sending…'); its own text without it. */
    pendingText?: string | undefined
  }

/** Renders a button, whose `type` is "button" by default. */
export function Button({
  variant,
  size,
  icon: Icon,
  pending = false,
  pendingText,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      {...rest}
      className={buttonClass(variant, size, className)}
      // not `disabled`, which would drop the focus, and with it the reading position of a screen reader
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
    >
      {pending ? <Spinner /> : Icon && <Icon aria-hidden="true" className="size-5" />}
      {pending && pendingText ? pendingText : children}
    </button>
  )
}

/** Renders a link that looks like a button and stays in the language of the page. */
export function ButtonLink({
  variant,
  size,
  icon: Icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & ButtonStyle & { className?: string }) {
  return (
    <Link {...rest} className={buttonClass(variant, size, className)}>
      {Icon && <Icon aria-hidden="true" className="size-5" />}
      {children}
    </Link>
  )
}

/** Renders a turning ring. Decorative: the text beside it says what is happening. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'inline-block size-[1.1em] shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent',
        className,
      )}
    />
  )
}
