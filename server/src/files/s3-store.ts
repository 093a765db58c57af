import { ConfigError } from '../config.ts'
import { SECOND_MS } from '../time.ts'
import { assertSafeFileName, type FileStore } from './file-store.ts'
import { StoreError } from './store-error.ts'

const CONNECT_TIMEOUT_MS = 5 * SECOND_MS
const REQUEST_TIMEOUT_MS = 20 * SECOND_MS

export type S3Location = { bucket: string; endpoint?: string | undefined; region?: string | undefined }

/**
 * Opens a store of attachment files in a bucket of S3 or of a compatible server. The credentials are found as AWS does:
 * in variables, the profile or the machine's role.
 *
 * @throws ConfigError when there is no region or there are no credentials; StoreError from its functions, when the bucket fails
 */
export async function openS3Store({ bucket, endpoint, region }: S3Location): Promise<FileStore> {
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
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
  await client.config.region().catch(() => {
    throw new ConfigError('wrong setting: STORAGE_URL names no region (add ?region=… or set AWS_REGION)')
  })
  await client.config.credentials().catch(() => {
    throw new ConfigError(
      'missing setting: STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role of the machine',
    )
  })
  const fail = (error: unknown): never => {
    throw new StoreError(bucket, error)
  }

  return {
    async put(name, bytes) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: assertSafeFileName(name),
        Body: bytes,
        // encrypted: to the bucket it is nothing but bytes
        ContentType: 'application/octet-stream',
      })
      await client.send(command).catch(fail)
    },
    async get(name) {
      const command = new GetObjectCommand({ Bucket: bucket, Key: assertSafeFileName(name) })
      try {
        const { Body } = await client.send(command)
        return Body ? Buffer.from(await Body.transformToByteArray()) : null
      } catch (error) {
        return error instanceof NoSuchKey ? null : fail(error)
      }
    },
    async remove(name) {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: assertSafeFileName(name) })
      await client.send(command).catch(fail)
    },
  }
}
