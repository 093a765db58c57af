import clsx from 'clsx'
import { ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { m } from '~/paraglide/messages'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/signed-in/Dialog'

/** Factors of the size at which the whole image is visible. */
const ZOOMS = [1, 1.5, 2, 3, 4]
const CLICK_LEVEL = ZOOMS.indexOf(2)
/** A press that moves further than this drags the image instead of zooming. */
const DRAG_PX = 4
const PERCENT = 100

/** A point on the image, in fractions of its width and height. */
type Point = { x: number; y: number }
const CENTRE: Point = { x: 0.5, y: 0.5 }

type Props = { url: string; open: boolean; onOpenChange: (open: boolean) => void }

/**
 * Shows a whole image in a dialog and zooms in: by the buttons, by the keys + − 0, or by pressing the image. What does
 * not fit is reached by the arrow keys or by dragging.
 */
export function ImageViewer({ url, open, onOpenChange }: Props) {
  const picture = useRef<HTMLButtonElement>(null)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={m.image_title()} wide initialFocus={() => picture.current}>
      <ZoomableImage url={url} pressable={picture} />
    </Dialog>
  )
}

function ZoomableImage({ url, pressable }: { url: string; pressable: RefObject<HTMLButtonElement | null> }) {
  const area = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [level, setLevel] = useState(0)
  const [fittedWidth, setFittedWidth] = useState(0)
  const centre = useRef(CENTRE)
  const press = useRef<{ x: number; y: number; dragged: boolean } | null>(null)
  const zoom = ZOOMS[level] ?? 1
  const percent = Math.round(zoom * PERCENT)

  // keeps the point that was looked at in the middle
  useLayoutEffect(() => {
    const [frame, shown] = [area.current, image.current]
    if (!frame || !shown) return
    const { x, y } = centre.current
    const width = fittedWidth * zoom
    const height = (width * shown.naturalHeight) / (shown.naturalWidth || 1)
    frame.scrollTo(x * width - frame.clientWidth / 2, y * height - frame.clientHeight / 2)
  }, [fittedWidth, zoom])

  const pointAt = (clientX: number, clientY: number): Point => {
    const { left, top, width, height } = image.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (clientX - left) / width, y: (clientY - top) / height }
  }
  const zoomTo = (next: number, point?: Point) => {
    const [frame, shown] = [area.current?.getBoundingClientRect(), image.current]
    if (!frame || !shown) return
    centre.current = point ?? pointAt(frame.left + frame.width / 2, frame.top + frame.height / 2)
    if (level === 0) setFittedWidth(shown.clientWidth)
    setLevel(Math.max(0, Math.min(ZOOMS.length - 1, next)))
  }
  const onKeyDown = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey) return // the browser's own zoom
    if (key === '+' || key === '=') zoomTo(level + 1)
    if (key === '-') zoomTo(level - 1)
    if (key === '0') zoomTo(0)
  }
  const onPointerMove = ({ clientX, clientY, movementX, movementY, pointerType }: PointerEvent) => {
    if (!press.current || pointerType !== 'mouse') return // the browser scrolls for fingers
    press.current.dragged ||= Math.hypot(clientX - press.current.x, clientY - press.current.y) > DRAG_PX
    area.current?.scrollBy(-movementX, -movementY)
  }

  return (
    <div className="grid gap-3">
      <div
        ref={area}
        className="max-h-[70dvh] overflow-auto overscroll-contain rounded-lg has-[button:focus-visible]:outline-3 has-[button:focus-visible]:outline-offset-2 has-[button:focus-visible]:outline-[light-dark(#1d5540,#ffcf70)]"
      >
        <button
          ref={pressable}
          type="button"
          aria-pressed={level > 0}
          className={clsx(
            'block rounded-lg outline-none!',
            level === 0 ? 'mx-auto cursor-zoom-in' : 'cursor-grab active:cursor-grabbing',
          )}
          onKeyDown={onKeyDown}
          onPointerDown={({ clientX, clientY }) => {
            press.current = { x: clientX, y: clientY, dragged: false }
          }}
          onPointerMove={onPointerMove}
          onPointerLeave={() => {
            press.current = null
          }}
          onClick={({ clientX, clientY, detail }) => {
            // a `detail` of 0 means a key, which has no position on the image
            if (!press.current?.dragged)
              zoomTo(level === 0 ? CLICK_LEVEL : 0, detail === 0 ? undefined : pointAt(clientX, clientY))
            press.current = null
          }}
        >
          <img
            ref={image}
            src={url}
            alt={m.image_alt()}
            draggable={false}
            className={level === 0 ? 'max-h-[70dvh] w-auto' : 'max-w-none!'}
            style={level === 0 ? undefined : { width: fittedWidth * zoom }}
          />
        </button>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-2">
        <Button
          size="icon"
          aria-label={m.image_zoom_out()}
          aria-disabled={level === 0}
          onClick={() => zoomTo(level - 1)}
        >
          <ZoomOut aria-hidden="true" className="size-5" />
        </Button>
        <output className="w-16 text-center font-bold tabular-nums">{m.percent({ percent })}</output>
        <Button
          size="icon"
          aria-label={m.image_zoom_in()}
          aria-disabled={level === ZOOMS.length - 1}
          onClick={() => zoomTo(level + 1)}
        >
          <ZoomIn aria-hidden="true" className="size-5" />
        </Button>
      </div>
    </div>
  )
}
