import clsx from 'clsx'
import { EyeOff } from 'lucide-react'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'
import { Parkade } from './art/Parkade.tsx'

/**
 * Shows a parked car, the message to its plate and the reply. The scene is a drawing, the texts are text. An animation
 * of three seconds shows the message arrive and the reply follow; without it the picture is the same.
 */
export function HeroPicture() {
  return (
    <div role="img" aria-label={m.hero_picture()} className="mx-auto w-full max-w-xl">
      <Bubble
        from={m.hero_message_from()}
        text={m.hero_message()}
        className="z-10 -mb-9 -ml-1 rounded-bl-sm sm:-mb-12 bg-signal text-on-signal motion-safe:animate-arrive sm:-ml-4"
      />
      <div className="overflow-hidden rounded-3xl sm:rounded-4xl">
        {/* a phone shows the car and the level, without the ceiling */}
        <div className="relative max-sm:-mt-[27%] max-sm:-mb-[4%]">
          <Parkade />
          <div className="absolute inset-x-0 top-[65.2%] mx-auto w-[29.4%]">
            <span className="absolute inset-0 rounded-xl border-4 border-signal opacity-0 motion-safe:animate-reach" />
            <Plate plate="NOTE416" province="Ontario" size="lg" className="relative block!" />
          </div>
        </div>
      </div>
      <Bubble
        from={m.hero_reply_from()}
        text={m.hero_reply()}
        className="z-10 -mt-9 -mr-1 ml-auto sm:-mt-10 rounded-br-sm border border-line bg-surface motion-safe:animate-answer sm:-mr-4"
      />
    </div>
  )
}

function Bubble({ from, text, className }: { from: string; text: string; className: string }) {
  return (
    <div
      className={clsx('relative w-fit max-w-[88%] rounded-2xl px-4 py-2.5 shadow-float sm:px-5 sm:py-3.5', className)}
    >
      <p className="flex items-center gap-1.5 text-sm font-semibold opacity-80">
        <EyeOff aria-hidden="true" className="size-4" />
        {from}
      </p>
      <p className="leading-snug font-bold sm:text-lg whitespace-pre-line">{text}</p>
    </div>
  )
}
