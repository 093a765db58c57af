import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { encode } from 'uqr'
import { paths } from '#contract/paths.ts'
import { LOCALES, PRODUCT, type Text } from '#contract/product.ts'
import { formatDateTime } from '~/lib/dates/dates'
import { verbatim } from '~/lib/i18n/verbatim'
import { saveFile } from '~/lib/page/save-file'
import { absoluteUrl } from '~/lib/page/site'
import { m } from '~/paraglide/messages'
import { Button, ButtonLink } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { focusIfLost } from '~/ui/signed-in/focus-if-lost'
import type { LeftNote } from './left-note.ts'

/** Shows the code of a note that was just left: to print, to save as a picture, or to copy by hand. */
export function NoteLeftPanel({ note }: { note: LeftNote }) {
  const [{ data, size }] = useState(() => encode(absoluteUrl(paths.note(note.code)), { ecc: 'M', border: 4 }))
  const address = absoluteUrl(paths.note()).replace(/^https?:\/\//, '')
  const squares = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <div className="grid gap-6">
      <Card className="grid gap-5 print:hidden">
        <h1 ref={focusIfLost} tabIndex={-1} className="text-3xl font-extrabold outline-none">
          {m.note_done_title()}
        </h1>
        <p>{m.note_done_text()}</p>
      </Card>
      {/* the printed sheet: the same in both languages, because the language of its reader is unknown */}
      <section
        aria-label={m.note_paper()}
        className="grid justify-items-center gap-4 rounded-2xl border-2 border-[#14231c] bg-white p-6 max-[18rem]:p-2 text-center text-[#14231c] print:mx-auto print:max-w-[14cm]"
      >
        <p className="text-xl font-extrabold text-balance">
          <Lines of={inBoth(m.note_paper_title)} />
        </p>
        <svg viewBox={`0 0 ${size} ${size}`} className="w-full max-w-56" role="img" aria-label={m.note_qr()}>
          <rect width={size} height={size} fill="#fff" />
          <path d={squares} fill="#14231c" shapeRendering="crispEdges" />
        </svg>
        <p translate="no" className="text-lg font-bold">
          {address}
        </p>
        <p
          translate="no"
          className="font-mono text-[min(7.6vw,3.25rem)] max-[18rem]:text-[6vw] leading-tight font-extrabold whitespace-nowrap tabular-nums"
        >
          {note.code}
        </p>
        <p className="text-balance">
          <Lines of={inBoth(m.note_paper_plate)} />
        </p>
        <p className="text-sm">{PRODUCT}</p>
      </section>
      <div className="flex flex-wrap gap-3 *:flex-1 sm:*:flex-none print:hidden">
        <Button icon={Printer} variant="primary" onClick={() => print()}>
          {m.note_print()}
        </Button>
        <Button icon={Download} onClick={() => void saveNotePicture(address, note.code, data)}>
          {m.note_save()}
        </Button>
      </div>
      <Card className="grid gap-3 print:hidden">
        <h2 className="text-lg font-extrabold">{m.note_by_hand()}</h2>
        <ol className="grid list-decimal gap-2 pl-5">
          <li>{verbatim(m.note_by_hand_1({ address }), address)}</li>
          <li>{verbatim(m.note_by_hand_2({ code: note.code }), note.code)}</li>
          <li>{m.note_by_hand_3()}</li>
        </ol>
        <p className="text-sm text-ink-soft">{m.note_until({ date: formatDateTime(note.expires_at) })}</p>
        <p className="text-sm text-ink-soft">{m.note_reply_comes()}</p>
        <ButtonLink to={paths.send()} className="justify-self-start">
          {m.send_done_another()}
        </ButtonLink>
      </Card>
    </div>
  )
}

/** Returns a text of the printed sheet for readers of either language. */
const inBoth = (text: Text) => LOCALES.map((locale) => text({}, { locale }))

const Lines = ({ of }: { of: string[] }) =>
  of.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))

const WIDTH = 1080
const HEIGHT = 1440
const QR_WIDTH = 600

/** Draws the printed sheet of a note and saves it as a PNG, to be printed or shown later. */
async function saveNotePicture(address: string, code: string, squares: boolean[][]): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = '#14231c'
  context.textAlign = 'center'
  const write = (text: string, y: number, font: string) => {
    context.font = font
    context.fillText(text, WIDTH / 2, y, WIDTH - 80)
  }
  const family = getComputedStyle(document.body).fontFamily
  for (const [i, line] of inBoth(m.note_paper_title).entries()) write(line, 100 + 60 * i, `800 46px ${family}`)
  const square = Math.floor(QR_WIDTH / squares.length)
  const left = (WIDTH - square * squares.length) / 2
  for (const [y, row] of squares.entries()) {
    for (const [x, dark] of row.entries())
      if (dark) context.fillRect(left + x * square, 220 + y * square, square, square)
  }
  write(address, 930, `700 48px ${family}`)
  write(code, 1080, '800 110px ui-monospace, monospace')
  for (const [i, line] of inBoth(m.note_paper_plate).entries()) write(line, 1200 + 56 * i, `500 42px ${family}`)
  write(PRODUCT, 1380, `700 36px ${family}`)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob) saveFile(blob, `${PRODUCT.toLowerCase()}-note.png`)
}
