import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const CIPHER = 'aes-256-gcm'

/** A text on disk that only this process can read, and only once. Its holder has to read or close it. */
export type SpoolFile = {
  bytes: number
  /** Returns the text and gives the file up: its space is free once the stream is closed. */
  read(): Readable
  /** Gives the file up unread. One that is left to the garbage collector ends the process. */
  close(): Promise<void>
}

/**
 * Writes a text to a temporary file, encrypted with a key that is never stored. The file has no name any more when it is
 * written, so that nothing is left of it when the process ends, however it ends.
 *
 * @param folder created when it is not there
 * @param signal gives up
 */
export async function writeSpoolFile(
  folder: string,
  chunks: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomBytes(16).toString('hex'))
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const [key, nonce] = [randomBytes(32), randomBytes(12)]
    const cipher = createCipheriv(CIPHER, key, nonce)
    const write = async (encrypted: AsyncIterable<Buffer>) => {
      for await (const chunk of encrypted) await file.writeFile(chunk)
    }
    await pipeline(chunks, cipher, write, { signal })
    const { size: bytes } = await file.stat()
    const decipher = createDecipheriv(CIPHER, key, nonce).setAuthTag(cipher.getAuthTag())
    return {
      bytes,
      read() {
        const encrypted = file.createReadStream({ start: 0 })
        // either of the two takes the other with it
        encrypted.on('error', (error) => decipher.destroy(error))
        decipher.once('close', () => encrypted.destroy())
        return encrypted.pipe(decipher)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
