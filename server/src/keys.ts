import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'

/** Reads a generated key, or makes it: mode 600, and complete or absent also after a crash. */
function generatedKey(dir: string, name: string): string {
  const file = join(dir, name)
  if (!existsSync(file)) {
    mkdirSync(dir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, file) // fails when another process was first: then its key counts
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
  }
  return readFileSync(file, 'utf8').trim()
}

/**
 * The secrets: from the settings, or outside production generated into DATA_DIR (design §7).
 *
 * @throws ConfigError when a key file is not readable or not a key
 */
export function readKeys(config: Config): { masterKey: string; jwtSecret: string } {
  try {
    const masterKey = config.MASTER_KEY ?? generatedKey(config.DATA_DIR, 'master.key')
    const jwtSecret = config.JWT_SECRET ?? generatedKey(config.DATA_DIR, 'jwt.key')
    if (Buffer.from(masterKey, 'base64').length !== 32) {
      throw new ConfigError(`${join(config.DATA_DIR, 'master.key')} does not hold a key; restore it or set MASTER_KEY`)
    }
    return { masterKey, jwtSecret }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `DATA_DIR ${config.DATA_DIR} cannot hold the keys (${(error as NodeJS.ErrnoException).code ?? 'not readable'}); set DATA_DIR to a folder PlateNote may write`,
    )
  }
}
