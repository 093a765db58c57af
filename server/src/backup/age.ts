import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { BackupError } from './manifest.ts'

/** The content of a file, piece by piece. */
export type Content = Iterable<Buffer> | AsyncIterable<Buffer>

/**
 * Returns what encrypts the content of a file to each of these public keys, any one of whose secret keys opens it.
 *
 * @throws BackupError for what is no public key
 */
export function encryptTo(recipients: string[]): (content: Content) => AsyncGenerator<Buffer> {
  const encrypter = new Encrypter()
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new BackupError(
        `BACKUP_RECIPIENTS has ${recipient}, which is no public key of age. Correct it: platenote backup --new-key <file> prints one.`,
      )
    }
  return async function* (content) {
    for await (const piece of await encrypter.encrypt(ReadableStream.from(content))) yield Buffer.from(piece)
  }
}

/**
 * Makes a pair of keys, and writes the secret one to a new file, as age-keygen does.
 *
 * @returns the public key
 * @throws BackupError when the file exists or cannot be written
 */
export async function createKeyFile(file: string): Promise<string> {
  const secret = await generateX25519Identity()
  const recipient = await identityToRecipient(secret)
  const text = `# created: ${new Date().toISOString()}\n# public key: ${recipient}\n${secret}\n`
  await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new BackupError(
      code === 'EEXIST'
        ? `${file} exists, and may have a key that opens backups. Name a new file.`
        : `${file} cannot be written (${code}). Name another file.`,
    )
  })
  return recipient
}

/** The secret keys of a file: what `--identity` names. */
export type Identity = { file: string; decrypter: Decrypter }

/**
 * Reads a file of secret keys; `-` is the standard input.
 *
 * @throws BackupError when it cannot be read, or has none
 */
export function readIdentity(path: string): Identity {
  const decrypter = new Decrypter()
  const file = path === '-' ? 'the standard input' : path
  try {
    const lines = readFileSync(path === '-' ? 0 : path, 'utf8').split(/\r?\n/)
    const keys = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
    if (keys.length === 0) throw new Error('none')
    for (const key of keys) decrypter.addIdentity(key.trim())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const fault = code ? `cannot be read (${code})` : 'has no secret key (AGE-SECRET-KEY-…), or a damaged one'
    throw new BackupError(`${file} ${fault}: --identity names the file that platenote backup --new-key wrote.`)
  }
  return { file, decrypter }
}

/**
 * Decrypts what was read from a file of a backup.
 *
 * @throws BackupError while it is read, when these keys do not open it or it was changed
 */
export async function* decrypt({ file, decrypter }: Identity, path: string, content: Content): AsyncGenerator<Buffer> {
  try {
    for await (const piece of await decrypter.decrypt(ReadableStream.from(content))) yield Buffer.from(piece)
  } catch (error) {
    // the words of age-encryption
    if (error instanceof Error && error.message.startsWith('no identity matched'))
      throw new BackupError(
        `The key in ${file} does not open ${path}, which was encrypted to other keys. Name the file with a secret key of the BACKUP_RECIPIENTS of that day.`,
      )
    throw new BackupError(`${path} was changed or cut short. Take another backup.`, { cause: error })
  }
}
