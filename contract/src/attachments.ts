import * as z from 'zod/mini'

/** Maximum size of an upload, in bytes (decision 0057). */
export const IMAGE_MAX_BYTES = 10 * 1000 * 1000

/** Maximum number of pixels of an upload. */
export const IMAGE_MAX_PIXELS = 50_000_000

/** Longer side of a stored image, in pixels. */
export const IMAGE_STORED_SIDE = 2_048

/** Path of uploads: multipart/form-data with one part `file`; the response is 201 with an `Attachment`. */
export const ATTACHMENTS_PATH = '/api/attachments'

/** Public path of stored images; the name is 32 random bytes in base64url, then `.webp` (decision 0057). */
export const STORAGE_PATH = '/storage/v1/object/public/message-attachments'

/** An uploaded image that waits for its message, for one hour at most. */
export const Attachment = z.object({ id: z.uuid(), url: z.string() })
export type Attachment = z.infer<typeof Attachment>
