import { openDocument, type SentDocument } from '#contract/documents.ts'
import { authenticatedFetch } from '~/lib/http/api'

/**
 * Fetches a document of a dispute, which is recorded. Returns the address of its content in this page, which ends with
 * `URL.revokeObjectURL` and with the page: no link to it exists that somebody else could follow.
 */
export async function fetchDocument({ id }: SentDocument): Promise<string> {
  const response = await authenticatedFetch(openDocument.path.replace(':id', id), { method: openDocument.method })
  return URL.createObjectURL(await response.blob())
}

/** Saves a document that was fetched as a file, without showing it. */
export function saveDocument(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}
