import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { createMasterKeys, type MasterKeys } from './encryption/envelope-encryption.ts'

/** Reads a generated key of 32 bytes, or generates it. The file has mode 600, and even after a crash it is complete or absent. */
export function loadOrCreateKey(dir: string, name: string, allowCreate: boolean): string {
  const file = join(dir, name)
  if (!existsSync(file)) {
    if (!allowCreate) {
      throw new ConfigError(
        `${file} is missing, and a new key could not open what the database holds; put it back, or set MASTER_KEY`,
      )
    }
    mkdirSync(dir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file) // fails when another process was first; then its key is used
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * Loads the master keys: the current one from the settings or `master.key`, and those of MASTER_KEYS_OLD.
 *
 * @param allowCreate false where a new master key would be useless, because the database contains encrypted values already
 * @throws ConfigError when a key file is missing, not readable or not a key, or a key is named twice
 */
export const loadMasterKeys = (config: Config, { allowCreate }: { allowCreate: boolean }): MasterKeys => {
  const masterKey = withKeyFileErrors(
    config,
    () => config.MASTER_KEY ?? loadOrCreateKey(config.DATA_DIR, 'master.key', allowCreate),
  )
  if (Buffer.from(masterKey, 'base64').length !== 32) {
    throw new ConfigError(`${join(config.DATA_DIR, 'master.key')} does not hold a key; restore it or set MASTER_KEY`)
  }
  assertDistinctKeys(masterKey, config.MASTER_KEYS_OLD)
  return createMasterKeys(masterKey, config.MASTER_KEYS_OLD)
}

/** Loads the secret of access tokens from the settings or `jwt.key`, or creates it. Throws a ConfigError. */
export const loadJwtSecret = (config: Config, { allowCreate }: { allowCreate: boolean }): string =>
  withKeyFileErrors(config, () => config.JWT_SECRET ?? loadOrCreateKey(config.DATA_DIR, 'jwt.key', allowCreate))

/** Turns what the system says about a key file into a line for the operator. */
export function withKeyFileErrors(config: Config, load: () => string): string {
  try {
    return load()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `DATA_DIR ${config.DATA_DIR} cannot hold the keys (${(error as NodeJS.ErrnoException).code ?? 'not readable'}); set DATA_DIR to a folder PlateNote may write`,
    )
  }
}

/**
 * Refuses a key that is named twice: the operator mistook one for another, and would believe in a rotation that did not
 * happen.
 */
function assertDistinctKeys(masterKey: string, old: string[]) {
  const [current, ...oldKeys] = [masterKey, ...old].map((key) => Buffer.from(key, 'base64').toString('hex'))
  if (oldKeys.includes(current!))
    throw new ConfigError('wrong setting: MASTER_KEYS_OLD names the key of MASTER_KEY too')
  if (new Set(oldKeys).size < oldKeys.length) throw new ConfigError('wrong setting: MASTER_KEYS_OLD names a key twice')
}
