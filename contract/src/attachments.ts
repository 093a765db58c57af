import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Maximum size of an upload, in bytes (decision photos-and-files). */
export const IMAGE_MAX_BYTES = 10 * 1000 * 1000

/** Maximum number of pixels of an upload. */
export const IMAGE_MAX_PIXELS = 50_000_000

/** Longer side of a stored image, in pixels. */
export const IMAGE_STORED_SIDE = 2_048

/** Public path of stored images; the name is 32 random bytes in base64url, then `.webp` (decision photos-and-files). */
export const STORAGE_PATH = '/storage/v1/object/public/message-attachments'

/** An uploaded image that waits for its message, for one hour at most. */
export const Attachment = z.object({ id: z.uuid(), url: z.string() })
export type Attachment = z.infer<typeof Attachment>

export const uploadAttachment = endpoint({
  method: 'POST',
  path: '/api/attachments',
  audience: 'user',
  status: 201,
  summary: 'Uploads an image for a message. It is deleted after an hour if no message uses it.',
  input: z.object({ file: z.file() }),
  requestType: 'multipart/form-data',
  output: Attachment,
})

export const getImage = endpoint({
  method: 'GET',
  path: `${STORAGE_PATH}/:file`,
  audience: 'public',
  summary: 'An image of a message, for whoever has its link; the link of a driver ends with their access.',
  input: z.object({ file: z.string() }),
  output: z.file(),
  responseType: 'image/webp',
})
