import type { ReactNode } from 'react'

/** The frame of the four drawings, 360 by 200 units; what it shows is said by the words beside it. */
export function Scene({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 360 200" aria-hidden="true" className="block h-auto w-full overflow-hidden">
      {children}
    </svg>
  )
}
