import type { DocumentKind } from '#contract/documents.ts'
import type { ImageProcesses } from '../attachments/image-processes.ts'
import { Refusal, refuse } from '../refusal.ts'

const PDF_HEADER = /^%PDF-[12]\.\d/
const PDF_HEADER_BYTES = 8
const PDF_END = '%%EOF'
/** Readers look for the end of a PDF in its last kilobyte. */
const PDF_END_WITHIN = 1024

/** Returns whether a file begins and ends as a PDF does (ISO 32000-2, 7.5). What is between is never looked at here. */
const isPdf = (file: Buffer): boolean =>
  PDF_HEADER.test(file.toString('latin1', 0, PDF_HEADER_BYTES)) && file.subarray(-PDF_END_WITHIN).includes(PDF_END)

/**
 * Reads an uploaded document: a PDF is kept as it came, an image is encoded again, which drops where and with what it was taken.
 * Refuses with `document_unreadable`, `image_too_many_pixels` or `busy`.
 */
export async function readDocument(
  images: ImageProcesses,
  userId: string,
  upload: Buffer,
): Promise<{ kind: DocumentKind; bytes: Buffer }> {
  if (isPdf(upload)) return { kind: 'pdf', bytes: upload }
  try {
    const { bytes } = await images.reencode(userId, upload)
    return { kind: 'image', bytes: Buffer.from(bytes) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'image_unreadable') refuse('document_unreadable')
    throw error
  }
}
