import { ConfigError } from '../config.ts'
import { MINUTE_MS, SECOND_MS } from '../time.ts'
import { assertSafeFileName, type FileStore, StoreError } from './file-store.ts'

const CONNECT_TIMEOUT_MS = 5 * SECOND_MS

/** How long a call may take: each try until its response begins, and all tries together until the response has come whole. */
type Limit = { responseMs: number; wholeMs: number }
/** People wait for what is read; what is written has to be sent first, up to 10 MB. */
const LIMITS: { read: Limit; write: Limit } = {
  read: { responseMs: 10 * SECOND_MS, wholeMs: 30 * SECOND_MS },
  write: { responseMs: 20 * SECOND_MS, wholeMs: MINUTE_MS },
}

export type S3Location = { bucket: string; endpoint?: string | undefined; region?: string | undefined }

/**
 * Opens a store of files in a bucket of S3 or of a compatible server. The credentials are found as AWS does: in variables, the
 * profile or the machine's role.
 *
 * @param limits shorter ones for tests
 * @throws ConfigError when there is no region or there are no credentials; StoreError from its functions, when the bucket fails
 */
export async function openS3Store({ bucket, endpoint, region }: S3Location, limits = LIMITS): Promise<FileStore> {
  // loaded only when it is used: it is larger than the rest of the server
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } = await import(
    '@aws-sdk/client-s3'
  )
  const client = new S3Client({
    ...(region !== undefined && { region }),
    // servers other than Amazon's expect the bucket in the path, and not all of them know its newer checksums
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, throwOnRequestTimeout: true },
  })
  await client.config.region().catch(() => {
    throw new ConfigError('wrong setting: STORAGE_URL names no region (add ?region=… or set AWS_REGION)')
  })
  await client.config.credentials().catch(() => {
    throw new ConfigError(
      'missing setting: STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role of the machine',
    )
  })

  type CallOptions = { abortSignal: AbortSignal; requestTimeout: number }
  /** Makes a call within its limit. The client's own ends when a response begins, and a body that stalls would never end. */
  const within = async <T>({ responseMs, wholeMs }: Limit, call: (options: CallOptions) => Promise<T>): Promise<T> => {
    const abortSignal = AbortSignal.timeout(wholeMs)
    try {
      return await call({ abortSignal, requestTimeout: responseMs })
    } catch (error) {
      const cause = abortSignal.aborted ? { code: 'ETIMEDOUT', cause: error } : error
      throw new StoreError(bucket, cause)
    }
  }

  return {
    async put(name, bytes) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: assertSafeFileName(name),
        Body: bytes,
        // to the bucket it is nothing but bytes
        ContentType: 'application/octet-stream',
      })
      await within(limits.write, (options) => client.send(command, options))
    },
    async get(name) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: assertSafeFileName(name) })
      return within(limits.read, async (options) => {
        try {
          const { Body } = await client.send(command, options)
          return Body ? Buffer.from(await Body.transformToByteArray()) : null
        } catch (error) {
          // a 403 may mean the same, to keys that may not list the bucket, or that they may not read what is there: a restore
          // that took it for "no such file" would leave out deletions (decision photos-and-files)
          if (error instanceof NoSuchKey) return null
          throw error
        }
      })
    },
    async remove(name) {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: assertSafeFileName(name) })
      await within(limits.read, (options) => client.send(command, options))
    },
  }
}
