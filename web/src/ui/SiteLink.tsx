import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { useLocation } from 'react-router'
import { canonicalPath, href } from '~/lib/i18n/i18n'

/** Links to a public page, and is marked on that page. A full load: most public pages have no scripts to navigate with. */
export function SiteLink({ to, className, children, ...rest }: { to: string } & ComponentProps<'a'>) {
  const { pathname } = useLocation()
  const current = canonicalPath(pathname) === to
  return (
    <a
      href={href(to)}
      {...rest}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'aria-[current=page]:underline aria-[current=page]:decoration-pine aria-[current=page]:decoration-[3px] aria-[current=page]:underline-offset-[0.4em]',
        className,
      )}
    >
      {children}
    </a>
  )
}
