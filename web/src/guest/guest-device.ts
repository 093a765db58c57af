const STORAGE_KEY = 'platenote-guest-device'
const DEVICE_BYTES = 18

let unsaved: string | null = null

/**
 * Returns the random value that identifies this browser to the vehicles it leaves messages at, and stores it if it may. It reveals
 * nothing but that two messages came from here.
 */
export function guestDevice(): string {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    if (stored && /^[\w-]{22,64}$/.test(stored)) return stored
    const created = randomValue()
    localStorage.setItem(STORAGE_KEY, created)
    return created
  } catch {
    unsaved ??= randomValue() // storage is full or forbidden: the value lasts for this page
    return unsaved
  }
}

const randomValue = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(DEVICE_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
