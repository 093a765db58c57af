import { OperatorError } from '../log/operator-error.ts'
import { errorCode } from '../log/safe-error.ts'

/**
 * A store of files: local disk or an S3 bucket. It has photos and the documents of disputes, which are encrypted, and the journal
 * of deletions, which is not: tables and the ids of their rows. Names are generated here and safe.
 */
export type FileStore = {
  /** Writes a file completely or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Returns the file's bytes, or null when there is no such file. */
  get(name: string): Promise<Buffer | null>
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>
}

/** Letters, digits, hyphens and underscores, with one extension: nothing that could leave a folder. */
const SAFE_NAME = /^[\w-]{8,128}(\.[a-z0-9]{1,8})?$/

/** Returns the name itself. Names are generated here, so any other one is a bug and throws. */
export function assertSafeFileName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error('not a name of a stored file')
  return name
}

/** What to do about the errors of S3 that have one likely reason. */
const ADVICE: Record<string, string> = {
  SignatureDoesNotMatch: 'correct AWS_SECRET_ACCESS_KEY, which is not the secret of AWS_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'correct AWS_ACCESS_KEY_ID, which the store does not know',
  RequestTimeTooSkewed: 'let this machine get the time by NTP',
  AuthorizationHeaderMalformed: 'correct the region of STORAGE_URL',
  NoSuchBucket: 'create the bucket, or correct STORAGE_URL',
  // without the last one S3 answers AccessDenied for a file that is not there
  AccessDenied:
    'allow the AWS keys s3:GetObject, s3:PutObject and s3:DeleteObject on what is in the bucket, and s3:ListBucket on the bucket itself',
  ETIMEDOUT: 'check the network, and whether the store works: it does not answer in time',
}
const OTHER_ADVICE = 'check STORAGE_URL, the AWS keys and their rights, and whether the store works'

/** A bucket could not do what it was asked to. Another try works once it answers again, or somebody has corrected the settings. */
export class StoreError extends OperatorError {
  override name = 'StoreError'
  /** S3's code for what is wrong, or that of the connection: it quotes nothing. */
  readonly code: string
  /** What to do about it. */
  readonly advice: string

  constructor(bucket: string, cause: unknown) {
    const known = errorCode(cause)
    const advice = ADVICE[known] ?? OTHER_ADVICE
    super(`the bucket ${bucket} cannot be used (${known}): ${advice}`, { cause })
    this.code = known
    this.advice = advice
  }
}

/** A store that tells how often it has failed. */
export type CountedStore = FileStore & {
  /** Returns how many calls failed since the store was opened. A file that is not there is no failure. */
  countFailed(): number
}

/** Returns the store with another end of what fails in it. */
export const withErrors = (files: FileStore, fail: (error: unknown, what: 'read' | 'written') => never): FileStore => ({
  put: (name, bytes) => files.put(name, bytes).catch((error: unknown) => fail(error, 'written')),
  get: (name) => files.get(name).catch((error: unknown) => fail(error, 'read')),
  remove: (name) => files.remove(name).catch((error: unknown) => fail(error, 'written')),
})

/** Returns the store, with its failures counted for the metrics. */
export function countFailures(files: FileStore): CountedStore {
  let failed = 0
  const counted = withErrors(files, (error) => {
    failed++
    throw error
  })
  return { ...counted, countFailed: () => failed }
}
