import { createECDH } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { loadOrCreateKey, withKeyFileErrors } from '../secrets.ts'

const CURVE = 'prime256v1'

/** The key pair that identifies this installation to push services (RFC 8292), in base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * Returns the key of the settings, with its public one. Without it generates one into DATA_DIR, except in production,
 * where it returns null: this installation sends no pushes.
 *
 * @throws ConfigError when it is no key, or DATA_DIR cannot store one
 */
export function loadVapidKeys(config: Config): VapidKeys | null {
  const { VAPID_PRIVATE_KEY, DATA_DIR, production } = config
  if (VAPID_PRIVATE_KEY === undefined && production) return null
  const generated = () => Buffer.from(loadOrCreateKey(DATA_DIR, 'vapid.key', true), 'base64').toString('base64url')
  const keys = deriveKeyPair(withKeyFileErrors(config, () => VAPID_PRIVATE_KEY ?? generated()))
  if (!keys) {
    const where = VAPID_PRIVATE_KEY === undefined ? join(DATA_DIR, 'vapid.key') : 'VAPID_PRIVATE_KEY'
    throw new ConfigError(`${where} does not hold a key; remove it, or make one with npx web-push generate-vapid-keys`)
  }
  return keys
}

function deriveKeyPair(privateKey: string): VapidKeys | null {
  try {
    const curve = createECDH(CURVE)
    curve.setPrivateKey(privateKey, 'base64url')
    return { publicKey: curve.getPublicKey().toString('base64url'), privateKey }
  } catch {
    return null // not 32 bytes, or out of the curve's range
  }
}
