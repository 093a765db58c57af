import clsx from 'clsx'
import { m } from '~/paraglide/messages'
import { Plate } from '~/ui/Plate'

/** A parked car from behind, its plate, the message to it and the reply. The car is drawn; the texts are texts. */
export function HeroPicture() {
  return (
    <div role="img" aria-label={m.hero_picture()} className="relative mx-auto w-full max-w-lg">
      <Bubble
        from={m.hero_message_from()}
        text={m.hero_message()}
        className="mr-auto -rotate-1 rounded-bl-sm bg-signal text-on-signal"
      />
      <div className="relative -mt-3">
        <Car />
        <div className="absolute inset-x-0 top-[52%] mx-auto w-[34%]">
          <Plate plate="NOTE416" province="Ontario" size="lg" />
        </div>
      </div>
      <Bubble
        from={m.hero_reply_from()}
        text={m.hero_reply()}
        className="relative -mt-8 ml-auto rotate-1 rounded-br-sm border border-line bg-surface"
      />
    </div>
  )
}

function Bubble({ from, text, className }: { from: string; text: string; className: string }) {
  return (
    <div className={clsx('relative z-10 w-fit max-w-[85%] rounded-2xl px-5 py-3.5 shadow-float', className)}>
      <p className="text-sm font-semibold opacity-80">{from}</p>
      <p className="text-lg leading-snug font-bold">{text}</p>
    </div>
  )
}

function Car() {
  return (
    <svg viewBox="0 0 480 300" aria-hidden="true" className="block h-auto w-full">
      <defs>
        <radialGradient id="lamp-glow">
          <stop offset="0.25" className="[stop-color:#ff6a3c] [stop-opacity:0.55]" />
          <stop offset="1" className="[stop-color:#ff6a3c] [stop-opacity:0]" />
        </radialGradient>
      </defs>
      <ellipse cx="240" cy="272" rx="214" ry="16" className="fill-ink/10 dark:fill-black/50" />
      {/* wheels, cabin, window, body */}
      <path
        d="M70 222h62v44a10 10 0 0 1-10 10H80a10 10 0 0 1-10-10zM348 222h62v44a10 10 0 0 1-10 10h-42a10 10 0 0 1-10-10z"
        className="fill-[#0b1410]"
      />
      <path d="M132 44c6-14 18-22 34-23 48-4 100-4 148 0 16 1 28 9 34 23l32 74H100z" className="fill-[#1d5540]" />
      <path d="M150 52c4-8 10-12 20-13 46-3 94-3 140 0 10 1 16 5 20 13l22 54H128z" className="fill-[#0f2a20]" />
      <path d="M170 40 142 106h58l30-67c-20 0-40 0-60 1z" className="fill-white/8" />
      <path
        d="M62 142c0-20 14-34 34-36 96-8 192-8 288 0 20 2 34 16 34 36v72c0 14-10 24-24 24H86c-14 0-24-10-24-24z"
        className="fill-[#236a50]"
      />
      <path d="M62 196h356v18c0 14-10 24-24 24H86c-14 0-24-10-24-24z" className="fill-[#184836]" />
      <path d="M96 112c96-8 192-8 288 0" className="fill-none stroke-white/15" strokeWidth="3" strokeLinecap="round" />
      {/* lamps: glow, glass, light */}
      <circle cx="105" cy="160" r="74" fill="url(#lamp-glow)" />
      <circle cx="375" cy="160" r="74" fill="url(#lamp-glow)" />
      <rect x="74" y="142" width="62" height="36" rx="12" className="fill-[#c62f1f]" />
      <rect x="344" y="142" width="62" height="36" rx="12" className="fill-[#c62f1f]" />
      <rect x="82" y="150" width="34" height="20" rx="8" className="fill-[#ff8a5c]" />
      <rect x="364" y="150" width="34" height="20" rx="8" className="fill-[#ff8a5c]" />
      <path d="M216 130h48" className="stroke-white/40" strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}
