import clsx from 'clsx'
import type { ComponentProps } from 'react'

/** A sheet of paper on the ground. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div {...rest} className={clsx('rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6', className)} />
  )
}
