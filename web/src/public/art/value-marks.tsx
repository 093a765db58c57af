import type { ReactNode } from 'react'

/**
 * Frames the small drawing of a value, 96 by 64 units. It is hidden from screen readers: the text beside it says the
 * same.
 */
const Mark = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 96 64" aria-hidden="true" className="block h-16 w-24">
    {children}
  </svg>
)

/** Draws a person on either side of a plate, both without a face. */
export const BothWaysMark = () => (
  <Mark>
    <circle cx="14" cy="22" r="9" className="fill-pine" />
    <path d="M0 52c0-22 28-22 28 0z" className="fill-pine" />
    <circle cx="82" cy="22" r="9" className="fill-pine" />
    <path d="M68 52c0-22 28-22 28 0z" className="fill-pine" />
    <rect x="31" y="8" width="34" height="48" rx="5" className="fill-plate-ink" />
    <rect x="33.5" y="10.5" width="29" height="43" rx="3" className="fill-plate" />
    <path
      d="M38 25h20l-5-5M58 39H38l5 5"
      className="fill-none stroke-plate-ink"
      strokeWidth="3.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </Mark>
)

/** Draws an open gate. */
export const GateMark = () => (
  <Mark>
    <path d="M4 58h88" className="stroke-line-strong" strokeWidth="4" strokeLinecap="round" />
    <rect x="14" y="28" width="16" height="30" rx="3" className="fill-pine" />
    <g transform="rotate(-52 22 32)">
      <rect x="16" y="27.5" width="74" height="9" rx="4.5" className="fill-signal" />
      <path d="M36 27.5h9l-5 9h-9zM54 27.5h9l-5 9h-9zM72 27.5h9l-5 9h-9z" className="fill-plate-ink" />
    </g>
    <circle cx="22" cy="32" r="4" className="fill-plate" />
  </Mark>
)

/** Draws a lock with a note inside. */
export const LockMark = () => (
  <Mark>
    <path d="M32 30V20a16 16 0 0 1 32 0v10" className="fill-none stroke-line-strong" strokeWidth="6" />
    <rect x="22" y="26" width="52" height="34" rx="7" className="fill-pine" />
    <path
      d="M36 34h24a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H48l-5 5v-5h-7a3 3 0 0 1-3-3v-9a3 3 0 0 1 3-3z"
      className="fill-signal"
    />
    <path d="M38 39.5h20M38 44h12" className="stroke-plate-ink" strokeWidth="2.5" strokeLinecap="round" />
  </Mark>
)

/** Draws one note and the replies to it. */
export const BubblesMark = () => (
  <Mark>
    <path
      d="M6 4h44a5 5 0 0 1 5 5v18a5 5 0 0 1-5 5H24l-9 8v-8H6a5 5 0 0 1-5-5V9a5 5 0 0 1 5-5z"
      className="fill-signal"
    />
    <path d="M11 14h34M11 22h20" className="stroke-plate-ink" strokeWidth="3.5" strokeLinecap="round" />
    <path d="M62 20h28a5 5 0 0 1 5 5v12a5 5 0 0 1-5 5h-5v7l-8-7H62z" className="fill-pine" />
    <path d="M42 40h18v7h8v8a5 5 0 0 1-5 5H46a5 5 0 0 1-5-5V41z" className="fill-pine/55" />
  </Mark>
)
