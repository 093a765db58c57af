import { IMAGE_STORED_SIDE } from '#contract/attachments.ts'

const QUALITY = 0.85

/**
 * The image as it is worth uploading: at most 2048 px on its longer side, as WebP or JPEG, upright, without the camera's notes
 * (place, device). What the browser cannot decode or draw faithfully comes back as it was; the server draws every
 * image anew anyway (design decision 12).
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return file
  try {
    const scale = Math.min(1, IMAGE_STORED_SIDE / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const pen = canvas.getContext('2d')
    if (!pen || !keepsColours()) return file
    pen.fillStyle = '#fff' // JPEG has no transparency: black would come instead
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.imageSmoothingQuality = 'high'
    pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const drawn = (await written(canvas, 'image/webp')) ?? (await written(canvas, 'image/jpeg'))
    return drawn && (scale < 1 || drawn.size < file.size) ? drawn : file
  } finally {
    bitmap.close()
  }
}

/** The canvas in a format; null where the browser cannot write it (Safari and WebP). */
const written = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY)
  })

/** False in browsers that answer with noise against fingerprinting (Tor, Firefox on request): a photo would be ruined. */
function keepsColours(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const pen = canvas.getContext('2d')
  if (!pen) return false
  pen.fillStyle = '#ffb31a'
  pen.fillRect(0, 0, 1, 1)
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data
  return red === 0xff && green === 0xb3 && blue === 0x1a
}
