import type { ReactNode } from 'react'
import { CarFromAbove, Note } from './pieces.tsx'

/** Frames a drawing of 360 by 200 units, of which the middle 230 are always in view. It is hidden from screen readers: the text beside it says the same. */
function Scene({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 360 200"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className="aspect-7/6 w-full rounded-xl lg:aspect-7/5 lg:rounded-2xl"
    >
      {children}
    </svg>
  )
}

/** Draws a driveway, its car, and another car parked across it. */
export function BlockedIn() {
  return (
    <Scene>
      <path d="M0 0h360v200H0z" className="fill-lawn" />
      <path d="M0 132h360v68H0z" className="fill-asphalt" />
      {/* driveway and sidewalk */}
      <path d="M132 0h96v134h-96z" className="fill-asphalt" />
      <path d="M0 114h360v18H0z" className="fill-wall" />
      <path d="M60 114v18M120 114v18M240 114v18M300 114v18" className="stroke-wall-shade" strokeWidth="2" />
      <path d="M-4 197h32m32 0h32m32 0h32m32 0h32m32 0h32m32 0h32" className="stroke-lane" strokeWidth="4" />
      {/* house and hedges */}
      <path d="M106-4h148v26H106z" className="fill-wall-shade" />
      <path d="M106 10h148v12H106z" className="fill-wall" />
      <circle cx="78" cy="44" r="20" className="fill-pine/25" />
      <circle cx="50" cy="72" r="13" className="fill-pine/25" />
      <circle cx="296" cy="56" r="24" className="fill-pine/25" />
      <CarFromAbove x={180} y={68} turn={180} scale={0.86} paint="pale" />
      <CarFromAbove x={186} y={163} turn={90} scale={0.94} />
      <Note x={252} y={146} scale={0.95} />
    </Scene>
  )
}

/** Draws three parking bays; the car in the middle one has its lights on, and a door and the trunk open. */
export function HazardNoticed() {
  return (
    <Scene>
      <path d="M0 0h360v200H0z" className="fill-asphalt" />
      <path d="M0 0h360v24H0z" className="fill-lawn" />
      <path d="M0 24h360v7H0z" className="fill-wall" />
      <path
        d="M48 44v134M132 44v134M228 44v134M312 44v134"
        className="stroke-lane"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <CarFromAbove x={90} y={122} scale={0.92} paint="pale" />
      {/* beams of light, door, trunk lid: below and beside the car */}
      <path d="M154 58 126-6h56l-14 62zM206 58 234-6h-56l14 62z" className="fill-signal/35" />
      <path d="M153 100l-26 13 2 6 25-6z" className="fill-car-shade" />
      <CarFromAbove x={180} y={110} />
      <path d="M156 156c12 7 36 7 48 0l4 22c-16 8-40 8-56 0z" className="fill-car-shade" />
      <path d="M160 173c12 4 28 4 40 0" className="fill-none stroke-car-light" strokeWidth="2" strokeLinecap="round" />
      <Note x={228} y={120} scale={0.95} />
    </Scene>
  )
}

/** Draws a car at the curb, another that touched its corner, and the frame of a photo around the damage. */
export function MinorAccident() {
  return (
    <Scene>
      <path d="M0 0h360v200H0z" className="fill-asphalt" />
      <path d="M0 0h360v22H0z" className="fill-lawn" />
      <path d="M0 22h360v26H0z" className="fill-wall" />
      <path d="M0 48h360v5H0z" className="fill-wall-shade" />
      <path d="M40 53v46h112M152 53v46h128M280 53v46" className="fill-none stroke-lane" strokeWidth="4" />
      <path d="M-6 180h36m32 0h36m32 0h36m32 0h36m32 0h36m32 0h36" className="stroke-lane" strokeWidth="4" />
      <CarFromAbove x={104} y={134} turn={68} paint="pale" />
      <CarFromAbove x={222} y={84} turn={90} />
      {/* the touch, and the photo of it */}
      <path d="M150 92l-9-9M158 88l-2-12M145 101l-12-1" className="stroke-lamp" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M122 88V76a8 8 0 0 1 8-8h12M178 68h12a8 8 0 0 1 8 8v12M198 116v12a8 8 0 0 1-8 8h-12M142 136h-12a8 8 0 0 1-8-8v-12"
        className="fill-none stroke-ink"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Note x={242} y={66} scale={0.95} />
    </Scene>
  )
}

/** Draws a windshield in the rain: paper under the wiper goes limp and blows away, the message stays. */
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
