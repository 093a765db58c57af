import type { ReactNode } from 'react'

/*
 * Shows one of two variants, by whether somebody is signed in. Pages without scripts do not know that: both variants are in
 * the page, and a class on <html>, which the inline head script sets before the first paint, decides which one is shown.
 */

export const SignedOut = ({ children }: { children: ReactNode }) => (
  <span className="contents signed-in:hidden">{children}</span>
)

export const SignedIn = ({ children }: { children: ReactNode }) => (
  <span className="hidden signed-in:contents">{children}</span>
)
