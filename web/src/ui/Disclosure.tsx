import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'details'>, 'title'> & { title: ReactNode }

/** Shows a line that unfolds what few people need. */
export const Disclosure = ({ title, className, children, ...details }: Props) => (
  <details className={clsx('group', className)} {...details}>
    <summary className="link flex min-h-11 w-fit items-center gap-1.5">
      {title}
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 group-open:rotate-180" />
    </summary>
    {children}
  </details>
)
