import type { ReactNode } from 'react'

/** Shows what somebody typed as a reason or a note, with its line breaks and in the direction of its language. */
export const TypedText = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <p dir="auto" className={`max-w-prose whitespace-pre-line ${className}`}>
    {children}
  </p>
)
