import { STORAGE_PATH } from '#contract/attachments.ts'

/** Name of the stored file of an attachment. */
export const imageFileName = (name: string): string => `${name}.webp`

/** Public address of a stored image, for pages of this site. */
export const imageUrl = (name: string): string => `${STORAGE_PATH}/${imageFileName(name)}`
