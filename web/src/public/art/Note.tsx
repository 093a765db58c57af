type Props = { x: number; y: number; scale?: number }

/** Draws a message as in the logo, with the tip of its tail at x, y. */
export function Note({ x, y, scale = 1 }: Props) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path
        d="M-14-40h56a7 7 0 0 1 7 7v19a7 7 0 0 1-7 7H9L0 0v-7h-14a7 7 0 0 1-7-7v-19a7 7 0 0 1 7-7z"
        className="fill-black/15 dark:fill-black/40"
        transform="translate(1 3)"
      />
      <path
        d="M-14-40h56a7 7 0 0 1 7 7v19a7 7 0 0 1-7 7H9L0 0v-7h-14a7 7 0 0 1-7-7v-19a7 7 0 0 1 7-7z"
        className="fill-signal"
      />
      <path d="M-10-29h48M-10-18h30" className="stroke-plate-ink" strokeWidth="4.5" strokeLinecap="round" />
    </g>
  )
}
