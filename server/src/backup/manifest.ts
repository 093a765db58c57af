import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../log/operator-error.ts'

/** A backup is incomplete, was changed, or does not fit; the message says which and what to do. */
export class BackupError extends OperatorError {}

const Sum = z.string().regex(/^[0-9a-f]{64}$/)
const Manifest = z.strictObject({
  format: z.literal(1),
  /** The version of PlateNote that made it. */
  version: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  migrations: z.array(z.object({ number: z.number(), name: z.string(), sha256: Sum })),
  /** The ids of the master keys that encrypt something in it: a hash of each, from which no key can be computed. */
  keyIds: z.array(z.string()),
  tables: z.array(
    z.object({
      name: z.string().regex(/^(?:public|auth)\.[a-z_0-9]+$/),
      columns: z.array(z.string()),
      rows: z.number(),
      /** The sum of its rows, one JSON object a line, in the order of their keys: the same rows have the same sum anywhere. */
      rowsSha256: Sum,
      /** The sum of its file. */
      sha256: Sum,
    }),
  ),
  files: z.object({
    count: z.number(),
    bytes: z.number(),
    /** Of the list of files. */
    sha256: Sum,
    /** The names of those that rows name and the store had lost; left out when there are none. */
    missing: z.array(z.string()).optional(),
  }),
})
export type Manifest = z.output<typeof Manifest>

/** One line of the list of files. */
export const FileEntry = z.object({ name: z.string(), bytes: z.number(), sha256: Sum })
export type FileEntry = z.output<typeof FileEntry>

const MANIFEST = 'backup.json'
export const MANIFEST_DRAFT = `${MANIFEST}.draft`
export const FILE_LIST = 'files.jsonl.gz'
export const tablePath = (folder: string, table: string): string => join(folder, 'database', `${table}.jsonl.gz`)
export const filePath = (folder: string, name: string): string => join(folder, 'files', name.slice(0, 2), name)

/** Returns the SHA-256 in hexadecimal. */
export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Describes the files that the store had lost when a backup was made, one a line; returns an empty text when there are none. */
export function describeMissing({ count, missing = [] }: Manifest['files']): string {
  if (missing.length === 0) return ''
  const all = count + missing.length
  const line = `WARNING: the store of photos had lost ${missing.length} of the ${all} files that the database names. They are not in the backup:`
  return [line, ...missing.map((name) => `  ${name}`), ''].join('\n')
}

/** Writes the manifest, last of all: a folder without one is no backup. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest, null, 2)
  const draft = join(folder, MANIFEST_DRAFT)
  const checksummed = JSON.stringify({ sha256: sha256(text), manifest }, null, 2)
  await writeFile(draft, `${checksummed}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(folder, MANIFEST))
}

/** Reads the manifest of a backup. Throws a BackupError when there is none or it was changed. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST)
  const absent = `${folder} has no ${MANIFEST}: it is no backup of PlateNote, or one that did not come to its end.`
  const text = await readFile(file, 'utf8').catch(explainUnreadable(file, absent))
  const Checksummed = z.object({ sha256: Sum, manifest: Manifest })
  const found = Checksummed.safeParse(parseJson(text))
  if (!found.success || sha256(JSON.stringify(found.data.manifest, null, 2)) !== found.data.sha256)
    throw new BackupError(`${file} was changed, or a newer version of PlateNote made it. Take another backup.`)
  return found.data.manifest
}

/** Returns what throws a line for the operator about a file of a backup that is not there, or cannot be read. */
export const explainUnreadable =
  (path: string, absent = `${path} is missing. Take another backup.`) =>
  ({ code }: NodeJS.ErrnoException): never => {
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new BackupError(absent)
    throw new BackupError(
      `${path} cannot be read (${code}). Give this account the right to read the backup, or look after its disk.`,
    )
  }

/** Parses JSON; returns undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
