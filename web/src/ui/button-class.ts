import clsx from 'clsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'delete'
export type ButtonSize = 'md' | 'lg' | 'icon'

const base =
  'inline-flex items-center justify-center gap-2 rounded-[0.625rem] font-bold leading-tight text-center transition-colors duration-100 ' +
  'disabled:opacity-60 aria-disabled:opacity-60 [&_svg]:shrink-0'

// the transparent border becomes visible when the system forces its own colours
const variants: Record<ButtonVariant, string> = {
  primary:
    'border border-transparent bg-signal text-on-signal hover:bg-signal-strong active:bg-signal-strong shadow-card',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken active:bg-sunken',
  ghost: 'text-ink hover:bg-ink/8 active:bg-ink/12',
  delete: 'text-ink-soft hover:bg-ink/8 hover:text-danger focus-visible:text-danger', // one on every row: red at hand only
  danger: 'border border-transparent bg-danger-fill text-white hover:brightness-90 active:brightness-90',
}

const sizes: Record<ButtonSize, string> = {
  md: 'min-h-11 px-4 py-2 text-base',
  lg: 'min-h-13 px-6 py-3 text-lg',
  icon: 'size-11 p-0',
}

/** Returns the classes of a button, for buttons and links that look like one. `primary` is the one main action of a page. */
export const buttonClass = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', extra?: string) =>
  clsx(base, variants[variant], sizes[size], extra)
