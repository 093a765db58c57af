import { CarFromAbove } from './CarFromAbove.tsx'
import { Note } from './Note.tsx'
import { Scene } from './Scene.tsx'

/** Three parking bays; the car in the middle one has its lights on and a door and the trunk open. */
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
