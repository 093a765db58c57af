import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import { refuse } from '../refusal.ts'

/** What one upload takes of the memory. */
type UploadMemory = {
  /** Reserves memory for bytes that arrived. Returns false when there is none. */
  take(bytes: number): boolean
  release(): void
}

/**
 * Bounds the memory of all uploads together, by what has arrived of them: an upload that is slow, or that never goes on,
 * takes no more than it has sent, and keeps nobody else's out.
 *
 * @returns a function that opens the account of one upload; it refuses with `busy` when the memory is full
 */
export function createUploadMemory(maxBytes: number): () => UploadMemory {
  let used = 0
  return () => {
    if (used >= maxBytes) refuse('busy', { retryAfterS: 2 })
    let own = 0
    return {
      take(bytes) {
        if (used + bytes > maxBytes) return false
        used += bytes
        own += bytes
        return true
      },
      release() {
        used -= own
        own = 0
      },
    }
  }
}

/** How an upload is refused: `missing`, also for a truncated form, and `tooLarge`. */
export type UploadRefusals = { missing: ErrorCode; tooLarge: ErrorCode }

/**
 * Reads the file of a form, its part `file`. Refuses as `refusals` say, and with `busy` when the memory is full.
 */
export async function readUpload(
  request: FastifyRequest,
  memory: UploadMemory,
  { missing, tooLarge }: UploadRefusals,
): Promise<Buffer> {
  if (!request.isMultipart()) refuse(missing)
  const chunks: Buffer[] = []
  let [fits, isFile, isTruncated] = [true, false, false]
  try {
    const part = await request.file()
    for await (const chunk of (part?.file ?? []) as AsyncIterable<Buffer>) {
      // what does not fit is read to its end, so that the client gets its response
      fits &&= memory.take(chunk.length)
      if (fits) chunks.push(chunk)
    }
    isFile = part?.fieldname === 'file'
    isTruncated = part?.file.truncated ?? false
  } catch (error) {
    const { statusCode, code } = error as { statusCode?: number; code?: string }
    if (code === 'FST_REQ_FILE_TOO_LARGE') refuse(tooLarge)
    // the plugin's own errors have a status; without one, its parser could not read the form
    if (statusCode !== undefined) throw error
    refuse(missing)
  }
  if (isTruncated) refuse(tooLarge)
  if (!fits) refuse('busy', { retryAfterS: 2 })
  if (!isFile || chunks.length === 0) refuse(missing)
  return Buffer.concat(chunks)
}
