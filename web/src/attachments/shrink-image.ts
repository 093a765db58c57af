import { IMAGE_STORED_SIDE } from '#contract/attachments.ts'

const QUALITY = 0.85

/**
 * The image as it is worth uploading: at most 2048 px on its longer side, as WebP or JPEG, upright, without the camera's notes
 * (place, device). What the browser cannot decode or draw faithfully comes back as it was; the server draws every
 * image anew anyway (decision 0057).
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!bitmap) return file
  try {
    const scale = Math.min(1, IMAGE_STORED_SIDE / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')
    if (!context || !isCanvasFaithful()) return file
    context.fillStyle = '#fff' // JPEG has no transparency: black would come instead
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const encoded = (await encodeCanvas(canvas, 'image/webp')) ?? (await encodeCanvas(canvas, 'image/jpeg'))
    return encoded && (scale < 1 || encoded.size < file.size) ? encoded : file
  } finally {
    bitmap.close()
  }
}

/** The canvas in a format; null where the browser cannot write it (Safari and WebP). */
const encodeCanvas = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => {
    canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, QUALITY)
  })

/** False in browsers that answer with noise against fingerprinting (Tor, Firefox on request): a photo would be ruined. */
function isCanvasFaithful(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (!context) return false
  context.fillStyle = '#ffb31a'
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return red === 0xff && green === 0xb3 && blue === 0x1a
}
