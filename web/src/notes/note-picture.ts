import { PRODUCT } from '#contract/product.ts'
import { MINUTE_MS } from '#contract/time.ts'

type Paper = {
  title: string[]
  plate: string[]
  address: string
  code: string
  squares: boolean[][]
  size: number
}

const WIDTH = 1080
const HEIGHT = 1440
const QR_WIDTH = 600

/** Draws the printed sheet of a note and saves it as a PNG, to be printed or shown later. */
export async function saveNotePicture({ title, plate, address, code, squares, size }: Paper): Promise<void> {
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
  for (const [i, line] of title.entries()) write(line, 100 + 60 * i, `800 46px ${family}`)
  const square = Math.floor(QR_WIDTH / size)
  const left = (WIDTH - square * size) / 2
  for (const [y, row] of squares.entries()) {
    for (const [x, dark] of row.entries())
      if (dark) context.fillRect(left + x * square, 220 + y * square, square, square)
  }
  write(address, 930, `700 48px ${family}`)
  write(code, 1080, '800 110px ui-monospace, monospace')
  for (const [i, line] of plate.entries()) write(line, 1200 + 56 * i, `500 42px ${family}`)
  write(PRODUCT, 1380, `700 36px ${family}`)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) return
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = `${PRODUCT.toLowerCase()}-note.png`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS)
}
