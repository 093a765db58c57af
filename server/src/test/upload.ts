import sharp from 'sharp'
import type { Caller, TestApp, TestResponse } from './app.ts'

/** Returns a small PDF with a text in it. */
export const pdfWith = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% ${text}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`)

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Draws a small picture of one colour. */
export const drawPng = (background = '#456'): Promise<Buffer> =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer()

/** Fills in a form with a file as the web app does. */
export function fileForm(
  bytes: Uint8Array,
  { name = 'photo.jpg', type = 'image/jpeg', field = 'file' } = {},
): FormData {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}

type FileOptions = Parameters<typeof fileForm>[1]

/** Uploads a photo for a message. */
export const uploadImage = (who: Caller, bytes: Uint8Array, options?: FileOptions): Promise<TestResponse> =>
  who.post('/api/attachments', fileForm(bytes, options))

/** Uploads a document of a dispute. */
export const uploadDocument = (
  who: Caller,
  vehicleId: string,
  bytes: Uint8Array,
  options?: FileOptions,
): Promise<TestResponse> => who.post(`/api/vehicles/${vehicleId}/documents`, fileForm(bytes, options))

/** Returns the name of an image's stored file, which its link does not reveal. */
export async function storedFileName({ db }: TestApp, { id }: { id: string }): Promise<string> {
  const [row] = await db<{ name: string }[]>`select name from attachments where id = ${id}`
  return `${row!.name}.webp`
}

/** Downloads an image as a browser does. */
export async function downloadImage(address: string) {
  const response = await fetch(address)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
