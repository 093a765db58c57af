import clsx from 'clsx'
import { PLATE_MAX } from '#contract/plates.ts'
import { type Province, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

type PlateSize = 'xs' | 'sm' | 'md' | 'lg'

// A plate is 12 by 6 inches; here 240 by 120 units.
const WIDTH = 240
const INNER = 196
/** A share of the screen where fonts are so large that what is beside a plate would have no room. */
const widths: Record<PlateSize, string> = {
  xs: 'w-[min(4rem,20vw)]',
  sm: 'w-[min(7rem,35vw)]',
  md: 'w-[min(11rem,55vw)]',
  lg: 'w-full max-w-80',
}
/** What tells letters and digits apart that the typeface draws alike: the serifs of an I, and the stroke through a 0. */
const STROKES: Record<string, (x: number, cell: number) => string> = {
  I: (x, cell) => [46, 81].map((y) => `M${x - cell * 0.3} ${y}h${cell * 0.6}`).join(''),
  0: (x, cell) => `M${x - cell * 0.15} 73l${cell * 0.3}-19`,
}
const MIN_CELLS = 6 // short plates keep their letters together instead of spreading over the whole plate

type Props = { plate: string; province?: Province | undefined; size?: PlateSize; className?: string }

/** Draws a vehicle's plate. Its text can be found and copied. It keeps its own colours even when the system forces others. */
export function Plate({ plate, province, size = 'md', className }: Props) {
  const count = Math.min(Math.max(plate.length, 1), PLATE_MAX)
  const cell = INNER / Math.max(count, MIN_CELLS)
  const first = WIDTH / 2 - (cell * (count - 1)) / 2
  const centres = Array.from({ length: count }, (_, i) => first + i * cell)
  const squeeze = Math.min(1, cell / 39)
  const name = province ? provinceName(province, getLocale()).toUpperCase() : ''
  return (
    <span translate="no" className={clsx('inline-block rounded-[5%/10%] shadow-plate', widths[size], className)}>
      <svg
        role="img"
        aria-label={[m.plate_label({ plate }), province && provinceName(province, getLocale())]
          .filter(Boolean)
          .join(', ')}
        viewBox="0 0 240 120"
        className="block h-auto w-full select-text"
      >
        <rect width="240" height="120" rx="12" className="fill-plate-edge" />
        <rect x="1.5" y="1.5" width="237" height="117" rx="10.5" className="fill-plate" />
        {/* the embossed frame: its shadow, then its colour */}
        <rect
          x="6.5"
          y="7.2"
          width="227"
          height="107"
          rx="8"
          className="fill-none stroke-plate-shade"
          strokeWidth="3"
        />
        <rect x="6.5" y="6" width="227" height="107" rx="8" className="fill-none stroke-plate-ink" strokeWidth="2" />
        {[44, 196].map((x) => (
          <g key={x}>
            <Bolt x={x} y={20} />
            <Bolt x={x} y={101} />
          </g>
        ))}
        {name && (
          <text
            x="120"
            y="26"
            textAnchor="middle"
            textLength={name.length > 14 ? 128 : undefined}
            lengthAdjust="spacingAndGlyphs"
            className="fill-plate-ink text-[14px] font-bold tracking-[0.06em] forced-color-adjust-none"
          >
            {name}
          </text>
        )}
        {/* each letter is centred in a cell of its own, so that plates align like print */}
        <text
          y="84"
          textAnchor="middle"
          transform={`translate(120 0) scale(${squeeze.toFixed(3)} 1) translate(-120 0)`}
          x={centres.map((x) => (120 + (x - 120) / squeeze).toFixed(1)).join(' ')}
          className="plate-digits fill-plate-ink text-[58px] font-bold forced-color-adjust-none drop-shadow-[0_1px_0_#fff]"
        >
          {plate}
        </text>
        <path
          d={centres.map((x, i) => STROKES[plate[i] ?? '']?.(x, cell) ?? '').join('')}
          className="stroke-plate-ink forced-color-adjust-none"
          strokeWidth="6"
        />
      </svg>
    </span>
  )
}

function Bolt({ x, y }: { x: number; y: number }) {
  return (
    <>
      <circle cx={x} cy={y} r="4.5" className="fill-plate-edge" />
      <path
        d={`M${x - 2.5} ${y + 1.2}l5-2.4`}
        className="stroke-plate-ink/50"
        strokeWidth="1.2"
        strokeLinecap="round"
      />
    </>
  )
}
