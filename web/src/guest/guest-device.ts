import { browserStore } from '~/lib/page/storage'

const STORAGE_KEY = 'platenote-guest-device'
const DEVICE_BYTES = 18

/**
 * Returns the random value that identifies this browser to the vehicles it leaves messages at, and stores it. It reveals
 * nothing but that two messages came from here.
 */
export function guestDevice(): string {
  const stored = browserStore.getItem(STORAGE_KEY)
  if (stored && /^[\w-]{22,64}$/.test(stored)) return stored
  const created = randomValue()
  browserStore.setItem(STORAGE_KEY, created)
  return created
}

const randomValue = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(DEVICE_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
