import { CarFromBehind } from './CarFromBehind.tsx'

/** Draws level P2 of a parkade by the elevator, which the message of the hero mentions, 560 by 480 units. */
export function Parkade() {
  return (
    <svg viewBox="0 0 560 480" aria-hidden="true" className="block h-auto w-full">
      <path d="M0 0h560v480H0z" className="fill-wall" />
      {/* ceiling with its pipes and lights */}
      <path d="M0 0h560v58H0z" className="fill-wall-shade" />
      <path d="M0 58h560" className="stroke-black/8" strokeWidth="3" />
      <path d="M0 30h560M0 42h560" className="stroke-black/8" strokeWidth="4" />
      <path d="M150 48h96M330 48h96" className="stroke-[#fffbe8]" strokeWidth="9" strokeLinecap="round" />
      {/* the painted band of the level */}
      <path d="M0 214h560v66H0z" className="fill-pine/18" />
      <path d="M0 214h560" className="stroke-pine/30" strokeWidth="3" />
      {/* elevator */}
      <path d="M424 108h92v204h-92z" className="fill-wall-shade" />
      <path d="M434 118h72v194h-72z" className="fill-asphalt" />
      <path d="M470 118v194" className="stroke-wall-shade" strokeWidth="4" />
      <path d="M470 74l9 12h-18zM470 102l9-12h-18z" className="fill-pine" />
      <circle cx="532" cy="214" r="6" className="fill-signal" />
      {/* floor, and the bay's lines running away from us */}
      <path d="M0 306h560v174H0z" className="fill-asphalt" />
      <path d="M0 306h560v12H0z" className="fill-black/8" />
      <path d="M96 318L28 480H6l78-162zM464 318l68 162h22l-78-162z" className="fill-lane" />
      {/* pillar */}
      <path d="M30 0h84v338H30z" className="fill-lane" />
      <path d="M30 0h18v338H30z" className="fill-black/6" />
      <path d="M30 178h84v102H30z" className="fill-car" />
      <path d="M30 178h18v102H30z" className="fill-black/12" />
      <text
        x="72"
        y="247"
        textAnchor="middle"
        className="fill-[#f3f6f0] text-[50px] font-black tracking-tight forced-color-adjust-none"
      >
        P2
      </text>
      <path d="M30 304h84v34H30z" className="fill-[#2a342e]" />
      <path d="M30 338l22-34h22l-22 34zM74 338l22-34h18l0 6-18 28z" className="fill-signal" />
      <g transform="translate(80 158)">
        <CarFromBehind />
      </g>
    </svg>
  )
}
