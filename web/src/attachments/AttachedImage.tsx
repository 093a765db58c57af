import { ImageOff, Maximize2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '~/paraglide/messages'
import { ImageViewer } from './ImageViewer.tsx'

/** Shows the image of a message as a thumbnail that opens the whole image. */
export function AttachedImage({ url }: { url: string }) {
  const [open, setOpen] = useState(false)
  const [broken, setBroken] = useState(false)
  if (broken) {
    return (
      <p className="inline-flex items-center gap-2 text-sm text-ink-soft">
        <ImageOff aria-hidden="true" className="size-5 shrink-0" />
        {m.image_gone()}
      </p>
    )
  }
  return (
    <>
      <button
        type="button"
        aria-label={m.image_open()}
        onClick={() => setOpen(true)}
        className="group relative block size-28 overflow-hidden rounded-xl border border-line bg-sunken"
      >
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setBroken(true)}
        />
        <span className="absolute right-1.5 bottom-1.5 grid size-8 place-items-center rounded-lg bg-black/65 text-white">
          <Maximize2 aria-hidden="true" className="size-4" />
        </span>
      </button>
      <ImageViewer url={url} open={open} onOpenChange={setOpen} />
    </>
  )
}
