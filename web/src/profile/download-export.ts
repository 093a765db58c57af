import { exportData } from '#contract/profile.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { ApiError, authenticatedFetch } from '~/lib/http/api'

/**
 * Fetches everything stored about the user and saves it as a file (docs/export.md).
 *
 * @param headers with the access token of a fresh session, or none: the request uses the session of this browser
 * @throws ApiError `sign_in_again` when that session is too old; `network` also when the download breaks off
 */
export async function downloadExport(headers: Record<string, string>): Promise<void> {
  const response = await authenticatedFetch(exportData.path, { method: exportData.method, headers, cache: 'no-store' })
  const file = await response.blob().catch(() => {
    throw new ApiError(0, undefined)
  })
  saveFile(file, parseFileName(response.headers.get('content-disposition')))
}

const parseFileName = (disposition: string | null) =>
  /filename="([\w.-]+)"/.exec(disposition ?? '')?.[1] ?? 'platenote.json'

const REVOKE_AFTER_MS = MINUTE_MS

function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS) // Safari reads it some time after the click
}
