/** Draws a soaked slip of paper with running ink and, over it, the same note as a message to a plate. */
export function PaperAndNote() {
  return (
    <svg viewBox="0 0 440 320" aria-hidden="true" className="mx-auto block h-auto w-full max-w-lg">
      {/* paper: shadow, sheet, the torn edge of a notebook, running ink */}
      <g transform="rotate(-9 150 150)">
        <path
          d="M44 52h196c6 60-8 130 6 196-70 10-140-10-208 4 10-66-8-132 6-200z"
          className="fill-ink/10 dark:fill-black/40"
          transform="translate(5 9)"
        />
        <path d="M44 52h196c6 60-8 130 6 196-70 10-140-10-208 4 10-66-8-132 6-200z" className="fill-plate" />
        <path d="M44 96h198M43 132h201M44 168h198M42 204h202" className="stroke-plate-shade" strokeWidth="2" />
        <path
          d="M64 88c14-14 22 10 34-4s20 8 30-2 22 6 34-4M64 126c18-12 26 8 40-4s28 10 44-2 22 8 38-2M64 162c12-12 24 8 34-4s18 6 28 0"
          className="fill-none stroke-[#5f7ea3]"
          strokeWidth="5"
          strokeLinecap="round"
        />
        <path
          d="M84 92c0 18-3 26 1 46M150 84c0 10 3 20 0 32M122 126c2 20-3 34 1 62M176 124c0 12 2 24-1 40M94 164c0 22 4 34 0 60"
          className="fill-none stroke-[#5f7ea3]/35"
          strokeWidth="9"
          strokeLinecap="round"
        />
        <path d="M216 52h24c1 9 1 17 1 26z" className="fill-plate-edge" />
      </g>
      <path
        d="M28 34l-8 24M98 14l-8 24M262 24l-8 24M22 196l-8 24M60 280l-8 24M300 250l-8 24"
        className="stroke-pine/45"
        strokeWidth="4"
        strokeLinecap="round"
      />
      {/* the message, crisp and dry */}
      <g transform="translate(176 96)">
        <path
          d="M22 6h214a22 22 0 0 1 22 22v78a22 22 0 0 1-22 22H104l-44 42v-42H22A22 22 0 0 1 0 106V28A22 22 0 0 1 22 6z"
          className="fill-black/15 dark:fill-black/45"
          transform="translate(3 8)"
        />
        <path
          d="M22 0h214a22 22 0 0 1 22 22v78a22 22 0 0 1-22 22H104l-44 42v-42H22A22 22 0 0 1 0 100V22A22 22 0 0 1 22 0z"
          className="fill-signal"
        />
        <path d="M30 38h196M30 61h168M30 84h96" className="stroke-plate-ink" strokeWidth="9" strokeLinecap="round" />
      </g>
      {/* the plate it is for */}
      <g transform="translate(146 252)">
        <rect width="176" height="64" rx="10" className="fill-plate-edge" />
        <rect x="1.5" y="1.5" width="173" height="61" rx="9" className="fill-plate" />
        <rect x="7" y="7" width="162" height="50" rx="6" className="fill-none stroke-plate-ink" strokeWidth="3" />
        <text
          x="88"
          y="44.5"
          textAnchor="middle"
          textLength="136"
          lengthAdjust="spacingAndGlyphs"
          className="plate-digits fill-plate-ink text-[34px] font-bold forced-color-adjust-none"
        >
          NOTE416
        </text>
      </g>
    </svg>
  )
}
