import { STORAGE_PATH } from '#contract/attachments.ts'

/** Returns the name of an attachment's stored file. */
export const imageFileName = (name: string): string => `${name}.webp`

/** Returns the public path of a stored image. */
export const imageUrl = (name: string): string => `${STORAGE_PATH}/${imageFileName(name)}`
