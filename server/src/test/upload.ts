import type { Answer, Caller } from './app.ts'

/** Uploads a file as the form of the web app does. */
export function uploadImage(
  who: Caller,
  bytes: Uint8Array,
  { name = 'photo.jpg', type = 'image/jpeg', field = 'file' } = {},
): Promise<Answer> {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return who.post('/api/attachments', form)
}

/** What a browser gets at the address of an image. */
export async function downloadImage(address: string) {
  const response = await fetch(address)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
