import { type Keyring, keyedHash } from '../encryption/envelope-encryption.ts'
import { clientNetwork } from '../limits/network.ts'
import { getBlockSecret } from '../messages/send-limits.ts'

/** What is known of somebody without an account: keyed hashes of the device, a random value its browser keeps, and the network. */
export type Guest = {
  ip: string
  device: Buffer
  network: Buffer
  deviceSecret: Buffer
  networkSecret: Buffer
  /** The key of the counts of the device. */
  deviceCounter: string
}

/**
 * Returns what identifies a guest. A device that sends no value of its own is known by its network alone.
 *
 * @param deviceId the value the browser keeps; null where it keeps none
 */
export function identifyGuest(keyring: Keyring, ip: string, deviceId: string | null): Guest {
  const network = keyedHash(keyring, 'guest network', clientNetwork(ip))
  const device = keyedHash(keyring, 'guest device', deviceId ?? `of network ${network.toString('base64')}`)
  return {
    ip,
    device,
    network,
    deviceSecret: getBlockSecret(keyring, device),
    networkSecret: getBlockSecret(keyring, network),
    deviceCounter: `guest-device:${keyedHash(keyring, 'counter', `guest ${device.toString('base64')}`).toString('base64url')}`,
  }
}
