import { CarFromAbove } from './CarFromAbove.tsx'
import { Note } from './Note.tsx'
import { Scene } from './Scene.tsx'

/** A windshield in the rain: paper under the wiper goes limp and blows away, the message stays. */
export function NoMoreNotes() {
  return (
    <Scene>
      <path d="M0 0h360v200H0z" className="fill-asphalt" />
      <path d="M30-10v220M330-10v220" className="stroke-lane" strokeWidth="5" />
      <CarFromAbove x={180} y={156} scale={2.7} />
      {/* wipers, and the paper under one of them */}
      <path d="M122 128l46-14M186 114l48 10" className="stroke-other-shade" strokeWidth="3.5" strokeLinecap="round" />
      <g transform="rotate(-17 150 104)">
        <path d="M128 90h40c2 10-2 20 2 32-14 3-28-3-42 1z" className="fill-plate" />
        <path
          d="M134 99h26M134 106h20M134 113h24"
          className="stroke-plate-edge"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
        <path d="M124 107l50 2" className="stroke-plate-ink" strokeWidth="3.5" strokeLinecap="round" />
      </g>
      <g transform="rotate(24 300 52)">
        <path d="M284 40h30c4 8-3 16 3 27-12 4-22-4-33 0z" className="fill-plate" />
        <path d="M290 48h20M290 55h13" className="stroke-plate-edge" strokeWidth="2.5" strokeLinecap="round" />
      </g>
      <path
        d="M284 66c-8 5-15 6-24 3M292 80c-9 6-17 7-28 4"
        className="fill-none stroke-ink-soft"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path
        d="M52 22l-5 14M84 62l-5 14M48 104l-5 14M78 148l-5 14M300 118l-5 14M276 160l-5 14M338 152l-5 14M120 14l-5 14M230 18l-5 14"
        className="stroke-pine/45"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <Note x={196} y={182} scale={1.15} />
    </Scene>
  )
}
