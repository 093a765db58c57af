import { imageFileName } from '../attachments/image-url.ts'
import type { Db } from '../db/pool.ts'
import { encryptedFileName } from '../documents/store-document.ts'
import type { FileStore } from '../files/file-store.ts'
import { BackupError } from './manifest.ts'

/**
 * Returns the store with errors for the operator: they say what failed, and the code of it.
 *
 * @throws BackupError from its functions
 */
export function explainingErrors(files: FileStore): FileStore {
  const explain = (what: string) => (error: unknown) => {
    const line = `The store of photos cannot be ${what} (${storeErrorCode(error)}): npm run doctor says more. Then run the command again.`
    throw new BackupError(line, { cause: error })
  }
  return {
    get: (name) => files.get(name).catch(explain('read')),
    put: (name, bytes) => files.put(name, bytes).catch(explain('written')),
    remove: (name) => files.remove(name).catch(explain('written')),
  }
}

/** Returns the code or the name of an error of a store, which quote nothing. */
export function storeErrorCode(error: unknown): string {
  const { code, name } = ((error as Error).cause ?? error) as { code?: unknown; name?: unknown }
  return String(code ?? name)
}

const NAMES_AT_A_TIME = 1_000

/** Lists the files that rows name, each once: photos, documents of disputes, and what legal holds keep of both. */
export async function* listStoredFiles(tx: Db): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await tx<{ name: string }[]>`
      select name from attachments where name > ${after} order by name limit ${NAMES_AT_A_TIME}`
    for (const { name } of rows) yield imageFileName(name)
    if (rows.length < NAMES_AT_A_TIME) break
    after = rows.at(-1)!.name
  }
  const documents = await tx<{ name: string }[]>`select file_name as name from dispute_documents order by name`
  for (const { name } of documents) yield encryptedFileName(name)
  if (!(await hasHolds(tx))) return
  const held = await tx<{ name: string; is_photo: boolean }[]>`
    select distinct file_name as name, table_name = 'attachments' as is_photo from held_records r
    where file_name is not null and not exists (select from attachments a where a.name = r.file_name)
      and not exists (select from dispute_documents d where d.file_name = r.file_name)
    order by name`
  for (const { name, is_photo } of held) yield is_photo ? imageFileName(name) : encryptedFileName(name)
}

/** Returns whether the schema is one with legal holds. */
const hasHolds = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ exists: boolean }[]>`select to_regclass('held_records') is not null as exists`
  return row!.exists
}

/** Returns whether a row still names the file, which may have been deleted while it was copied. */
export const isFileNamed = async (db: Db, file: string): Promise<boolean> => {
  const name = file.slice(0, file.lastIndexOf('.'))
  const rows = await db`
    select from attachments where name = ${name} union all select from dispute_documents where file_name = ${name}`
  if (rows.length > 0 || !(await hasHolds(db))) return rows.length > 0
  return (await db`select from held_records where file_name = ${name} limit 1`).length > 0
}
