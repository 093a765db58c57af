import { ATTACHMENTS_PATH, type Attachment } from '#contract/attachments.ts'
import { type UploadOptions, uploadFile } from './upload-file.ts'

/** Uploads an image for a message. Throws `ApiError`, or the reason of the signal when it was aborted. */
export const uploadImage = (image: Blob, options: UploadOptions): Promise<Attachment> =>
  uploadFile<Attachment>(ATTACHMENTS_PATH, image, options)
