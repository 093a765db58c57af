import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Actor } from '../http/actor.ts'
import { createSlots } from '../limits/slots.ts'
import { refuse } from '../refusal.ts'
import type { ImageProcesses } from './image-processes.ts'

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
function createUploadMemory(maxBytes: number): () => UploadMemory {
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
type UploadRefusals = { missing: ErrorCode; tooLarge: ErrorCode }

/**
 * Reads the file of a form, its part `file`. Refuses as `refusals` say, and with `busy` when the memory is full.
 */
async function readUpload(
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

/** What a form needs beside its file. */
const FORM_BYTES = 64 * 1024

type UploadRoute = {
  endpoint: Endpoint
  /** The largest file, how many of these fit into the memory of all uploads in progress, and how many one user may have there. */
  maxBytes: number
  atOnce: number
  perUser: number
  refusals: UploadRefusals
  /** Refuses an upload before its file is read, so that it is not received for nothing. */
  admit(actor: Actor, request: FastifyRequest): Promise<void>
  store(actor: Actor, request: FastifyRequest, upload: Buffer): Promise<unknown>
}

/** Registers the upload of a file by a user, which `images` may have to decode. */
export async function uploadRoute(app: FastifyInstance, images: ImageProcesses, route: UploadRoute) {
  const { endpoint, maxBytes, atOnce, perUser } = route
  const acquireSlot = createSlots({ perUser })
  const openMemory = createUploadMemory(atOnce * maxBytes)
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: maxBytes, files: 1, fields: 5, fieldSize: 1000, parts: 6 },
    })
    scope.post(
      endpoint.path,
      {
        config: { endpoint },
        bodyLimit: maxBytes + FORM_BYTES,
        onRequest: async (request) => {
          images.refuseIfFull()
          request.actor = await app.authenticate(request)
        },
      },
      async (request, reply) => {
        const actor = request.actor ?? refuse('signed_out')
        const releaseSlot = acquireSlot(actor.id)
        try {
          const memory = openMemory()
          try {
            await route.admit(actor, request)
            const upload = await readUpload(request, memory, route.refusals)
            reply.code(201).header('cache-control', 'no-store')
            return await route.store(actor, request, upload)
          } finally {
            memory.release()
          }
        } finally {
          releaseSlot()
        }
      },
    )
  })
}
