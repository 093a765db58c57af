import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { openDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { openS3Store, type S3Location } from './s3-store.ts'

const EXAMPLE_URL = 's3://bucket?endpoint=https://…&region=ca-central-1'
const KNOWN_PARAMETERS = ['endpoint', 'region']

/** Parses `s3://bucket?endpoint=…&region=…`. Throws a ConfigError that says what is wrong with it. */
export function parseStorageUrl(value: string): S3Location {
  const invalid = (why: string) => new ConfigError(`wrong setting: STORAGE_URL ${why} (like ${EXAMPLE_URL})`)
  const url = URL.canParse(value) ? new URL(value) : null
  if (url?.protocol !== 's3:') throw invalid('must start with s3://')
  // S3's rules for names, which also keep a path out
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) throw invalid('must name a bucket')
  if (url.username || url.password)
    throw invalid('must not hold credentials: give them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash) throw invalid('must not have a path')
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN_PARAMETERS.includes(name))
  if (unknown !== undefined) throw invalid(`has an unknown part "${unknown}"`)
  const endpoint = url.searchParams.get('endpoint') || undefined
  const region = url.searchParams.get('region') || undefined
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    throw invalid('must have an endpoint that starts with http:// or https://')
  }
  if (region !== undefined && !/^[a-z0-9-]+$/.test(region)) throw invalid('must have a region such as ca-central-1')
  return { bucket: url.host, endpoint, region }
}

/**
 * Opens the store of files: the bucket of `STORAGE_URL`, otherwise `DATA_DIR/attachments`.
 *
 * @throws ConfigError when the setting makes no sense or the folder cannot be written to
 */
export async function openFileStore({
  STORAGE_URL,
  DATA_DIR,
}: Pick<Config, 'STORAGE_URL' | 'DATA_DIR'>): Promise<FileStore> {
  if (STORAGE_URL !== undefined) return openS3Store(parseStorageUrl(STORAGE_URL))
  const folder = join(DATA_DIR, 'attachments')
  try {
    return await openDiskStore(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `wrong setting: DATA_DIR must be a folder that can be written to (${folder}: ${code ?? 'unknown error'})`,
    )
  }
}
