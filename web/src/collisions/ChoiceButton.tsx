import clsx from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type ChoiceProps = {
  icon: LucideIcon
  label: () => string
  pressed: boolean
  iconClassName?: string
} & ComponentProps<'button'>

/** Offers one of several answers; the one that was chosen has a tick. */
export function ChoiceButton({ icon, label, pressed, iconClassName = 'text-pine', className, ...button }: ChoiceProps) {
  const Icon = pressed ? Check : icon
  return (
    <button
      type="button"
      aria-pressed={pressed}
      className={clsx(
        'flex items-center gap-2.5 rounded-[0.625rem] border px-3 py-2 text-left leading-tight font-semibold',
        pressed
          ? 'border-pine bg-pine-soft ring-1 ring-pine'
          : 'border-line-strong bg-surface hover:bg-sunken active:bg-sunken',
        className,
      )}
      {...button}
    >
      <Icon aria-hidden="true" className={clsx('size-5 shrink-0', iconClassName)} />
      <span className="min-w-0 hyphens-auto wrap-break-word">{label()}</span>
    </button>
  )
}
