import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { type Content, decrypt, encryptTo, type Identity } from './age.ts'
import { BackupError, Manifest, parseJson } from './manifest.ts'
import { readLines } from './table-files.ts'

// The files of a backup as they lie in its folder: plain, or each encrypted for itself (`.age`). The list of them with their sums is
// readable either way, so that whoever has no key can say whether a copy is whole, with sha256sum too.

/** The list, in the format of sha256sum with a comment before each line. It is renamed last of all: a folder without it is no backup. */
const LIST = 'SHA256SUMS'
export const LIST_DRAFT = `${LIST}.draft`
const MANIFEST = 'backup.json'
const ENCRYPTED = '.age'
/** So much of a file waits for the disk while more is encrypted. */
const BUFFER_BYTES = 1024 * 1024
export const MANIFESTS: string[] = [MANIFEST, MANIFEST + ENCRYPTED]

export const tablePath = (table: string): string => `database/${table}.jsonl.gz`
export const filePath = (name: string): string => `files/${name.slice(0, 2)}/${name}`

/** So much of a file tells it from others: an encrypted one begins with a key of its own. */
const BEGINNING_BYTES = 128

/** What the list says of a file: enough to tell one that was cut or changed from another one in its place. */
export class FileSums {
  bytes = 0
  beginning = 0
  #hash = createHash('sha256')

  add(piece: Buffer): void {
    this.beginning = crc32(piece.subarray(0, Math.max(0, BEGINNING_BYTES - this.bytes)), this.beginning)
    this.bytes += piece.length
    this.#hash.update(piece)
  }

  /** Returns the two lines of the list. */
  toLines = (path: string): string => `# ${this.bytes} ${this.beginning}\n${this.digest()}  ${path}\n`
  digest = (): string => this.#hash.copy().digest('hex')
}

/** Opens an empty folder for the files of a backup, which are encrypted to the recipients as they are written, if there are any. */
export function openForWriting(folder: string, recipients: string[]) {
  const encrypt = recipients.length > 0 ? encryptTo(recipients) : undefined
  const listSum = createHash('sha256')
  const open = (path: string) => {
    const options = { mode: 0o600, flags: 'wx', flush: true, highWaterMark: BUFFER_BYTES }
    return createWriteStream(join(folder, path), options)
  }
  let list: WriteStream | undefined

  async function write(name: string, content: Content): Promise<void> {
    const path = encrypt ? name + ENCRYPTED : name
    const sums = new FileSums()
    async function* summing() {
      for await (const piece of encrypt ? encrypt(content) : content) {
        sums.add(piece)
        yield piece
      }
    }
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await pipeline(summing, open(path))
    const lines = sums.toLines(path)
    listSum.update(lines)
    // its errors come out where it ends
    list ??= open(LIST_DRAFT).on('error', () => {})
    list.write(lines)
  }

  /** Writes the manifest, and makes the folder a backup. */
  async function finish(manifest: Omit<Manifest, 'listSha256'>): Promise<Manifest> {
    const whole = { ...manifest, listSha256: listSum.copy().digest('hex') }
    await write(MANIFEST, [Buffer.from(`${JSON.stringify(whole, null, 2)}\n`)])
    await finished(list!.end())
    await rename(join(folder, LIST_DRAFT), join(folder, LIST))
    return whole
  }
  return { write, finish }
}

/** A backup that can be read. */
export type Backup = { folder: string; manifest: Manifest; identity: Identity | undefined }

/** Reads the content of a file of a backup, by the name it had before it was encrypted. */
export function readContent({ folder, identity }: Omit<Backup, 'manifest'>, name: string): AsyncIterable<Buffer> {
  const path = join(folder, identity ? name + ENCRYPTED : name)
  return identity ? decrypt(identity, path, createReadStream(path)) : createReadStream(path)
}

type Entry = { lines: string; bytes: number; beginning: number; sha256: string; path: string }

/** Reads the list; its last entry is that of the manifest. */
async function* readList(folder: string): AsyncGenerator<Entry> {
  const path = join(folder, LIST)
  const absent = `${folder} has no ${LIST}: it is no backup of PlateNote, or one that did not come to its end.`
  try {
    let comment = ''
    for await (const line of readLines(createReadStream(path))) {
      const lines = `${comment}${line}\n`
      comment = line.startsWith('#') ? lines : ''
      if (comment) continue
      // no part of a path begins with a dot: nothing leads out of the folder
      const [, bytes, beginning, sha256, name] =
        /^# (\d+) (\d+)\n([0-9a-f]{64}) {2}((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)\n$/.exec(lines) ?? []
      if (!sha256 || !name) throw new BackupError(`${path} was changed. Take another backup.`)
      yield { lines, bytes: Number(bytes), beginning: Number(beginning), sha256, path: name }
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    explainUnreadable(path, absent)(error as NodeJS.ErrnoException)
  }
}

/** Lists the names of the photos and documents in a backup. */
export async function* listFiles({ folder, identity }: Backup): AsyncGenerator<string> {
  for await (const { path } of readList(folder)) {
    const [top, , name] = path.split('/')
    if (top === 'files' && name) yield identity ? name.slice(0, -ENCRYPTED.length) : name
  }
}

/**
 * Opens a backup. One that is encrypted has no manifest without an identity, and its files can only be compared with the list.
 *
 * @throws BackupError when there is none, or it is not the one that was written
 */
export async function openBackup(
  folder: string,
  identity?: Identity,
): Promise<Backup | { folder: string; manifest: null }> {
  let last: Entry | undefined
  for await (const entry of readList(folder)) last = entry
  if (!last || !MANIFESTS.includes(last.path))
    throw new BackupError(`${join(folder, LIST)} was changed or cut short. Take another backup.`)
  await verifyFile(folder, last)
  const isEncrypted = last.path.endsWith(ENCRYPTED)
  if (isEncrypted && !identity) return { folder, manifest: null }
  const opened = { folder, identity: isEncrypted ? identity : undefined }
  const found = Manifest.safeParse(parseJson(await text(readContent(opened, MANIFEST))))
  if (!found.success)
    throw new BackupError(
      `${join(folder, last.path)} was changed, or a newer version of PlateNote made it. Take another backup.`,
    )
  return { ...opened, manifest: found.data }
}

/**
 * Compares every file with the list, and the list with the manifest.
 *
 * @returns how many files there are
 */
export async function verifyFiles({ folder, manifest }: Backup | { folder: string; manifest: null }): Promise<number> {
  const listSum = createHash('sha256')
  let count = 0
  for await (const entry of readList(folder)) {
    count++
    if (MANIFESTS.includes(entry.path)) continue
    listSum.update(entry.lines)
    await verifyFile(folder, entry)
  }
  // sums that were written anew for files of another backup
  if (manifest && manifest.listSha256 !== listSum.digest('hex'))
    throw new BackupError(
      `${join(folder, LIST)} is not the list of this backup: files of another one are in their place. Take another backup.`,
    )
  return count
}

async function verifyFile(folder: string, { path, ...listed }: Entry) {
  const file = join(folder, path)
  const found = new FileSums()
  try {
    for await (const piece of createReadStream(file)) found.add(piece as Buffer)
  } catch (error) {
    explainUnreadable(file)(error as NodeJS.ErrnoException)
  }
  if (found.digest() === listed.sha256) return
  const again = 'Copy it again from where the backup was made, or take another backup.'
  const beginsAlike = found.beginning === listed.beginning
  if (found.bytes < listed.bytes && (beginsAlike || found.bytes < BEGINNING_BYTES))
    throw new BackupError(`${file} is cut short: ${found.bytes} of its ${listed.bytes} bytes are there. ${again}`)
  if (beginsAlike) throw new BackupError(`${file} was changed since it was written. ${again}`)
  throw new BackupError(
    `${file} begins otherwise than the file that was written: one of another backup is in its place, or its first bytes were changed. ${again}`,
  )
}

/** Returns what throws a line for the operator about a file of a backup that is not there, or cannot be read. */
const explainUnreadable =
  (path: string, absent = `${path} is missing. Take another backup.`) =>
  ({ code }: NodeJS.ErrnoException): never => {
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BackupError(absent)
    throw new BackupError(
      `${path} cannot be read (${code}). Give this account the right to read the backup, or look after its disk.`,
    )
  }
