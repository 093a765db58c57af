import { imageFileName } from '../attachments/image-url.ts'
import type { Db } from '../db/pool.ts'
import { encryptedFileName } from '../documents/store-document.ts'

const NAMES_AT_A_TIME = 1_000

/** Lists the files that rows name: photos, and documents of disputes. */
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
