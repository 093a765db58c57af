import clsx from 'clsx'
import type { ComponentProps } from 'react'

/** Frames a group of content on a raised surface. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={clsx('rounded-2xl border border-line bg-surface p-5 max-[18rem]:p-3 shadow-card sm:p-6', className)}
    />
  )
}
