import { createHash } from 'node:crypto'
import { z } from 'zod'
import { OperatorError } from '../log/operator-error.ts'

/** A backup is incomplete, was changed, or does not fit; the message says which and what to do. */
export class BackupError extends OperatorError {}

const Sum = z.string().regex(/^[0-9a-f]{64}$/)
/** What a backup says of itself, in the last of its files. */
export const Manifest = z.strictObject({
  format: z.literal(2),
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
    }),
  ),
  files: z.object({
    count: z.number(),
    bytes: z.number(),
    /** The names of those that rows name and the store had lost; left out when there are none. */
    missing: z.array(z.string()).optional(),
  }),
  /** The sum of the list of its files, as it stood before the manifest itself. */
  listSha256: Sum,
})
export type Manifest = z.output<typeof Manifest>

/** Returns the SHA-256 in hexadecimal. */
export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Describes the files that the store had lost when a backup was made, one a line; returns an empty text when there are none. */
export function describeMissing({ count, missing = [] }: Manifest['files']): string {
  if (missing.length === 0) return ''
  const all = count + missing.length
  const line = `WARNING: the store of photos had lost ${missing.length} of the ${all} files that the database names. They are not in the backup:`
  return [line, ...missing.map((name) => `  ${name}`), ''].join('\n')
}

/** Parses JSON; returns undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
