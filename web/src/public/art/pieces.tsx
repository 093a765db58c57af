import clsx from 'clsx'

type CarProps = {
  x: number
  y: number
  /** Degrees clockwise; at 0 the car points up. */
  turn?: number
  scale?: number
  /** In every drawing the green car is the one whose owner gets the message. */
  paint?: 'green' | 'pale'
}

const PAINTS = {
  green: { body: 'fill-car', shade: 'fill-car-shade', light: 'stroke-car-light' },
  pale: { body: 'fill-other', shade: 'fill-other-shade', light: 'stroke-other-shade' },
}

/** Draws a car from above, as on a parking plan, 64 by 124 units around its centre. */
export function CarFromAbove({ x, y, turn = 0, scale = 1, paint = 'green' }: CarProps) {
  const { body, shade, light } = PAINTS[paint]
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`}>
      <path d="M-27-44c0-14 54-14 58 0v92c0 18-58 18-58 0z" className="fill-black/12 dark:fill-black/35" />
      <path d="M-29-20c-6-2-7 4-2 7zM29-20c6-2 7 4 2 7z" className={shade} />
      <path d="M-28-42c0-24 56-24 56 0v86c0 24-56 24-56 0z" className={body} />
      <path d="M-20-40c2-12 38-12 40 0" className={clsx('fill-none', light)} strokeWidth="2" strokeLinecap="round" />
      <path d="M-23-24c14-8 32-8 46 0l-4 15c-12-4-26-4-38 0z" className="fill-glass" />
      <path d="M-18 31c12 4 24 4 36 0l4 12c-13 5-31 5-44 0z" className="fill-glass" />
      <path d="M-25-19l4 13v32l-4 12zM25-19l-4 13v32l4 12z" className="fill-glass" />
      <path d="M-24-50c2-4 5-6 9-7l-1 5zM24-50c-2-4-5-6-9-7l1 5z" className="fill-plate" />
      <path d="M-25 52c3 4 6 5 10 6v-4zM25 52c-3 4-6 5-10 6v-4z" className="fill-lamp" />
    </g>
  )
}

type NoteProps = { x: number; y: number; scale?: number }

/** Draws a message as in the logo, with the tip of its tail at x, y. */
export function Note({ x, y, scale = 1 }: NoteProps) {
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
