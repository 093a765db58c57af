import clsx from 'clsx'
import { m } from '~/paraglide/messages'

/** Draws a licence plate in an envelope: pure decoration, in the colours of the theme. */
export function Envelope({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 320 230" className={clsx('h-auto', className)}>
      <ellipse cx="160" cy="216" rx="128" ry="9" className="fill-ink/8" />
      {/* the open flap and the inside */}
      <path
        d="M44 102 150.5 25.6a16 16 0 0 1 19 0L276 102v92H44Z"
        className="fill-sunken stroke-line-strong"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {/* the plate, as ui/Plate draws it */}
      <g transform="rotate(-4 160 96)">
        <rect x="84" y="50" width="152" height="84" rx="10" className="fill-plate-edge" />
        <rect x="85.5" y="51.5" width="149" height="81" rx="8.5" className="fill-plate" />
        <rect x="90" y="56" width="140" height="72" rx="6" className="fill-none stroke-plate-ink" strokeWidth="2" />
        <text
          x="160"
          y="98"
          textAnchor="middle"
          textLength="112"
          lengthAdjust="spacingAndGlyphs"
          className="plate-digits fill-plate-ink text-[34px] font-bold forced-color-adjust-none"
        >
          {m.contact_picture_plate()}
        </text>
      </g>
      {/* the front */}
      <path
        d="M44 102 160 176l116-74v98a12 12 0 0 1-12 12H56a12 12 0 0 1-12-12Z"
        className="fill-surface stroke-line-strong"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path
        d="m48 208 84-50M272 208l-84-50"
        className="fill-none stroke-line-strong"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
