import type { ReactNode } from 'react'

/*
 * Pages without scripts cannot tell whether somebody is signed in. Both variants are in the page, and a class on <html>,
 * which the inline head script sets before the first paint, decides which one is shown.
 */

export const SignedOut = ({ children }: { children: ReactNode }) => (
  <span className="contents signed-in:hidden">{children}</span>
)

export const SignedIn = ({ children }: { children: ReactNode }) => (
  <span className="hidden signed-in:contents">{children}</span>
)
