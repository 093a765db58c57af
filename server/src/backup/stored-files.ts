import { imageFileName } from '../attachments/image-link.ts'
import type { Db } from '../db/pool.ts'
import { encryptedFileName } from '../documents/documents.ts'
import { type FileStore, withErrors } from '../files/file-store.ts'
import { errorCode } from '../log/safe-error.ts'
import { BackupError } from './manifest.ts'

/**
 * Returns the store with errors for the operator: they say what failed, and the code of it.
 *
 * @throws BackupError from its functions
 */
export const explainingErrors = (files: FileStore): FileStore =>
  withErrors(files, (error, what) => {
    const line = `The store of photos cannot be ${what} (${storeErrorCode(error)}): platenote doctor says more. Then run the command again.`
    throw new BackupError(line, { cause: error })
  })

/** Returns the code of what a store met, also where the error is one for the operator. */
export const storeErrorCode = (error: unknown): string => errorCode((error as Error).cause ?? error)

const NAMES_AT_A_TIME = 1_000

/** Lists the files that rows name, each once: photos and documents of disputes. */
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
}

/** Returns whether a row still names the file, which may have been deleted while it was copied. */
export const isFileNamed = async (db: Db, file: string): Promise<boolean> => {
  const name = file.slice(0, file.lastIndexOf('.'))
  const rows = await db`
    select from attachments where name = ${name} union all select from dispute_documents where file_name = ${name}`
  return rows.length > 0
}
