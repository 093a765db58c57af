import type { ReactNode } from 'react'

/*
 * Pages without scripts cannot ask who is signed in. Both variants are in the page, and a class on <html>, set by boot.js
 * before the first paint, says which is there.
 */

export const SignedOut = ({ children }: { children: ReactNode }) => (
  <span className="contents signed-in:hidden">{children}</span>
)

export const SignedIn = ({ children }: { children: ReactNode }) => (
  <span className="hidden signed-in:contents">{children}</span>
)
