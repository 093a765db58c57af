import { CarFromAbove } from './CarFromAbove.tsx'
import { Note } from './Note.tsx'
import { Scene } from './Scene.tsx'

/** A driveway, its car, and another parked across it. */
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
