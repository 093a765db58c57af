import type { ReactNode } from 'react'
import { CarFromAbove, Note } from './pieces.tsx'

/**
 * Draws a piece of a street from above, 240 by 240 units: the curb on the left, the line of the lane on the right. Both
 * continue beyond it, so that pieces of any height make one street.
 */
function Street({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 240 240"
      aria-hidden="true"
      className="block h-60 w-full overflow-visible sm:h-full sm:min-h-52 lg:min-h-72"
    >
      <path d="M-900-600H40V840H-900z" className="fill-wall" />
      <path d="M40-600h6V840h-6z" className="fill-wall-shade" />
      <path d="M214-600V840" className="stroke-lane" strokeWidth="4" />
      {children}
    </svg>
  )
}

/** Draws a person from above: shoulders, head, and arms held out to the right. */
function Person({ x, y, turn = 0 }: { x: number; y: number; turn?: number }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <path d="M2-15l16-5M2 15l16 2" className="stroke-pine" strokeWidth="7" strokeLinecap="round" />
      <ellipse rx="10" ry="19" className="fill-pine" />
      <circle r="9" className="fill-ink-soft" />
    </g>
  )
}

/** Draws a car with a limp paper under its wiper, in the rain. */
export const PaperInTheRain = () => (
  <Street>
    <CarFromAbove x={108} y={128} scale={1.25} />
    <path d="M98 88l18-4 5 24-19 4z" className="fill-plate" />
    <path d="M103 93l9-2M104 99l11-2M105 105l7-1" className="stroke-[#5f7ea3]" strokeWidth="2" strokeLinecap="round" />
    <path d="M168 60l16 6-6 20-15-5z" className="fill-plate" />
    <path d="M152 78c-6 8-14 8-20 6" className="fill-none stroke-ink-soft" strokeWidth="2.5" strokeLinecap="round" />
    <path
      d="M66 40l-4 12M180 24l-4 12M156 120l-4 12M188 156l-4 12M60 190l-4 12M162 204l-4 12M120 24l-4 12M24 96l-4 12M20 210l-4 12"
      className="stroke-pine/50"
      strokeWidth="3"
      strokeLinecap="round"
    />
  </Street>
)

/** Draws a person on the sidewalk beside a car, writing to its owner. */
export const SomeoneAtTheCurb = () => (
  <Street>
    <CarFromAbove x={122} y={132} scale={1.25} />
    <Person x={18} y={104} turn={8} />
    <rect x="33" y="92" width="9" height="16" rx="2" className="fill-ink" />
    <Note x={84} y={92} scale={1.2} />
  </Street>
)

/** Draws two cars, a note to one and the reply to the other, and nobody in sight. */
export const PrivateBothWays = () => (
  <Street>
    <CarFromAbove x={168} y={112} />
    <CarFromAbove x={92} y={168} paint="pale" />
    <Note x={178} y={68} />
    <path
      d="M117 58H71a7 7 0 0 0-7 7v18a7 7 0 0 0 7 7h22l4 14 9-14h11a7 7 0 0 0 7-7V65a7 7 0 0 0-7-7z"
      className="fill-surface stroke-line-strong"
      strokeWidth="1.5"
    />
    <path d="M75 69h38M75 79h22" className="stroke-ink" strokeWidth="4.5" strokeLinecap="round" />
  </Street>
)

/** Draws an open gate, and a car driving through. */
export const NoGate = () => (
  <Street>
    <rect x="50" y="104" width="20" height="30" rx="4" className="fill-ink-soft" />
    <g transform="rotate(-82 60 118)">
      <rect x="54" y="113" width="132" height="10" rx="5" className="fill-signal" />
      <path d="M84 113h14l-4 10H80zM116 113h14l-4 10h-14zM148 113h14l-4 10h-14z" className="fill-plate-ink" />
    </g>
    <CarFromAbove x={132} y={126} scale={1.25} />
  </Street>
)

/** Draws two cars behind one plate, and a pause sign. */
export const ClaimedTwice = () => (
  <Street>
    <CarFromAbove x={88} y={150} scale={1.1} />
    <CarFromAbove x={168} y={150} scale={1.1} paint="pale" />
    <path
      d="M88 72V60h80v12"
      className="fill-none stroke-ink-soft"
      strokeWidth="3"
      strokeLinecap="round"
      strokeDasharray="6 6"
    />
    <rect x="89" y="18" width="78" height="40" rx="6" className="fill-plate-edge" />
    <rect x="91" y="20" width="74" height="36" rx="5" className="fill-plate stroke-plate-ink" strokeWidth="2.5" />
    <path d="M121 29v18M135 29v18" className="stroke-plate-ink" strokeWidth="6" strokeLinecap="round" />
  </Street>
)
