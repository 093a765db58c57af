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

/**
 * Draws a parked car from behind with its lights on, 400 by 300 units. The wheels end at y 286; the recess is for the
 * plate.
 */
function CarFromBehind() {
  return (
    <>
      <defs>
        <radialGradient id="lamp-glow">
          <stop offset="0.2" className="[stop-color:#ff6a3c] [stop-opacity:0.6]" />
          <stop offset="1" className="[stop-color:#ff6a3c] [stop-opacity:0]" />
        </radialGradient>
      </defs>
      {/* shadow, and the light of the lamps on the floor */}
      <ellipse cx="200" cy="288" rx="196" ry="15" className="fill-black/15 dark:fill-black/55" />
      <ellipse cx="66" cy="292" rx="84" ry="15" fill="url(#lamp-glow)" />
      <ellipse cx="334" cy="292" rx="84" ry="15" fill="url(#lamp-glow)" />
      {/* wheels, mirrors */}
      <path
        d="M34 226h62v50a10 10 0 0 1-10 10H44a10 10 0 0 1-10-10zM304 226h62v50a10 10 0 0 1-10 10h-42a10 10 0 0 1-10-10z"
        className="fill-[#0b1410]"
      />
      <path
        d="M56 98c-20-10-38-4-38 10 0 12 18 14 42 8zM344 98c20-10 38-4 38 10 0 12-18 14-42 8z"
        className="fill-car-shade"
      />
      {/* cabin, window, what is seen through it */}
      <path d="M94 42c5-13 17-21 32-22 49-4 99-4 148 0 15 1 27 9 32 22l34 82H60z" className="fill-car" />
      <path d="M112 50c4-8 10-12 20-13 45-3 91-3 136 0 10 1 16 5 20 13l25 60H87z" className="fill-glass" />
      <path d="M124 110c0-26 4-38 18-38s18 12 18 38zM240 110c0-26 4-38 18-38s18 12 18 38z" className="fill-black/45" />
      <path d="M176 36l-34 74h40l33-75c-13 0-26 0-39 1zM228 35l-33 75h11l33-75z" className="fill-white/10" />
      <path d="M166 109l64-9" className="stroke-black/60" strokeWidth="4" strokeLinecap="round" />
      {/* roof light, not lit: nobody brakes */}
      <path d="M172 29c18-1 38-1 56 0v6c-18-1-38-1-56 0z" className="fill-[#7c2018]" />
      {/* body: trunk lid, bumper */}
      <path
        d="M22 148c0-22 14-36 36-38 94-8 190-8 284 0 22 2 36 16 36 38v76c0 14-10 24-24 24H46c-14 0-24-10-24-24z"
        className="fill-car"
      />
      <path d="M56 119c95-8 193-8 288 0" className="fill-none stroke-car-light" strokeWidth="4" strokeLinecap="round" />
      <path d="M88 128c4 40 6 66 16 78h192c10-12 12-38 16-78" className="fill-none stroke-black/20" strokeWidth="2.5" />
      <path d="M22 206h356v18c0 14-10 24-24 24H46c-14 0-24-10-24-24z" className="fill-car-shade" />
      <path d="M34 232h332" className="stroke-black/25" strokeWidth="3" strokeLinecap="round" />
      <path d="M58 222h34M308 222h34" className="stroke-lamp" strokeWidth="6" strokeLinecap="round" />
      <path d="M112 250h36M252 250h36" className="stroke-[#0b1410]" strokeWidth="8" strokeLinecap="round" />
      {/* lamps: glow, glass, light */}
      <circle cx="64" cy="166" r="82" fill="url(#lamp-glow)" />
      <circle cx="336" cy="166" r="82" fill="url(#lamp-glow)" />
      <path
        d="M32 150c2-8 6-10 14-10h48l6 22c2 10-2 18-12 18H44c-8 0-12-5-12-13zM368 150c-2-8-6-10-14-10h-48l-6 22c-2 10 2 18 12 18h44c8 0 12-5 12-13z"
        className="fill-lamp"
      />
      <path
        d="M40 153c1-4 4-5 8-5h38l3 12c1 6-1 11-7 11H48c-5 0-8-3-8-8zM360 153c-1-4-4-5-8-5h-38l-3 12c-1 6 1 11 7 11h34c5 0 8-3 8-8z"
        className="fill-[#ff8a5c]"
      />
      <path d="M46 156h34M320 156h34" className="stroke-[#ffd9b8]" strokeWidth="4" strokeLinecap="round" />
      {/* handle above the plate, recess behind it */}
      <path d="M170 139h60" className="stroke-black/35" strokeWidth="9" strokeLinecap="round" />
      <rect x="112" y="150" width="176" height="94" rx="12" className="fill-black/30" />
    </>
  )
}
