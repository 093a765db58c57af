import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { currentKeyId } from '../encryption/envelope-encryption.ts'
import { hasEncryptedData, isKeyInUse, verifyKeys } from '../encryption/verify-keys.ts'
import { loadVapidKeys } from '../push/vapid.ts'
import { loadJwtSecret, loadMasterKeys } from '../secrets.ts'
import { readOnly } from './connect.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const MIN_SECRET_LENGTH = 32

const isThere = ({ DATA_DIR }: Config, name: string) => existsSync(join(DATA_DIR, name))

/** Checks that the master keys open the database, by the proofs that keys in use have left there. */
export async function checkMasterKey(config: Config, db: Pool | null): Promise<Finding> {
  const isGenerated = config.MASTER_KEY === undefined
  const isNew = isGenerated && !isThere(config, 'master.key')
  if (isNew && !db) return warn('DATA_DIR/master.key is not there: unless nothing is encrypted yet, put it back')
  if (isNew && !(await readOnly(db!, hasEncryptedData))) return ok('the first start makes DATA_DIR/master.key')
  // loading says which file is missing
  const keys = loadMasterKeys(config, { allowCreate: false })
  if (!db) return warn('not compared with the database: correct that first')
  const state = await readOnly(db, async (tx) => {
    const unneeded = await verifyKeys(tx, keys)
    const hasData = await hasEncryptedData(tx)
    return { unneeded, hasData, inUse: hasData && (await isKeyInUse(tx, keys)) }
  })
  const key = `key ${currentKeyId(keys)}`
  if (!state.hasData) return ok(`${key}; the database has nothing encrypted yet`)
  if (!state.inUse) return warn(`${key} opens the database, but no server uses it yet: restart all of them`)
  return ok(`${key} opens the database`)
}

/** Checks that there is a secret to sign access tokens with. */
export function checkTokenSecret(config: Config): Finding {
  if (config.JWT_SECRET !== undefined) return ok('JWT_SECRET is set')
  if (!isThere(config, 'jwt.key')) return ok('the first start makes DATA_DIR/jwt.key')
  return loadJwtSecret(config, { allowCreate: false }).length < MIN_SECRET_LENGTH
    ? fail('DATA_DIR/jwt.key does not hold a secret: restore it, or remove it, and everybody signs in again')
    : ok('DATA_DIR/jwt.key is there')
}

/** Checks the key for push services. The database does not keep it, so that it cannot be compared. */
export function checkPushKeys(config: Config): Finding {
  const isGenerated = config.VAPID_PRIVATE_KEY === undefined
  if (isGenerated && config.production)
    return warn('no keys, so nobody gets notifications on devices: set VAPID_PRIVATE_KEY')
  if (isGenerated && !isThere(config, 'vapid.key')) return ok('the first start makes DATA_DIR/vapid.key')
  loadVapidKeys(config)
  return ok('there is one')
}
