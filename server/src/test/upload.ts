import type { Caller, TestApp, TestResponse } from './app.ts'

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

/** Uploads a document of a dispute as the web app's form does. */
export function uploadDocument(
  who: Caller,
  vehicleId: string,
  bytes: Uint8Array,
  { name = 'licence.jpg', type = 'image/jpeg', field = 'file' } = {},
): Promise<TestResponse> {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name)
  return who.post(`/api/vehicles/${vehicleId}/documents`, form)
}

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
