import type { Caller, TestResponse } from './app.ts'

/** Uploads a file as the web app's form does. */
export function uploadImage(
  who: Caller,
  bytes: Uint8Array,
  { name = 'photo.jpg', type = 'image/jpeg', field = 'file' } = {},
): Promise<TestResponse> {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return who.post('/api/attachments', form)
}

/** Downloads an image as a browser does. */
export async function downloadImage(address: string) {
  const response = await fetch(address)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}
