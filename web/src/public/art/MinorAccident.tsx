import { CarFromAbove } from './CarFromAbove.tsx'
import { Note } from './Note.tsx'
import { Scene } from './Scene.tsx'

/** A car at the curb, another that touched its corner, and the frame of a photo around the place. */
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
      <Note x={284} y={70} scale={0.95} />
    </Scene>
  )
}
