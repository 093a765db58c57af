import { HOUR_MS } from '#contract/time.ts'
import { CARRIED_KEY } from '~/lib/form/drafts'
import { browserStore, readJson } from '~/lib/page/storage'

/** A plate somebody wants to register who has no account yet, and the code of the note they read, if it was one. */
type CarriedPlate = { plate: string; code?: string }

/** Long enough for a sign-up with its email, short enough for a computer that others use. */
const CARRIED_MS = HOUR_MS

type Stored = CarriedPlate & { until: number; isRegistered?: boolean }

function read(): Stored | null {
  const { plate, code, until, isRegistered } = (readJson(browserStore, CARRIED_KEY) ?? {}) as Partial<Stored>
  if (typeof plate === 'string' && typeof until === 'number' && until > Date.now())
    return { plate, until, ...(typeof code === 'string' && { code }), isRegistered: isRegistered === true }
  browserStore.removeItem(CARRIED_KEY)
  return null
}

function write(stored: Stored | null) {
  if (stored) browserStore.setItem(CARRIED_KEY, JSON.stringify(stored))
  else browserStore.removeItem(CARRIED_KEY)
}

/**
 * Carries a plate through sign-up, to be filled in where it is registered: for an hour, in this browser and never in an address.
 * The link of the confirmation email opens another tab on most phones, so the storage of this tab is not enough. Signing out
 * clears it, and so does null.
 */
export const carryPlate = (carried: CarriedPlate | null) =>
  write(carried && { ...carried, until: Date.now() + CARRIED_MS })

/** Returns the carried plate and note; null when there are none. */
export const carriedPlate = (): CarriedPlate | null => read()

/** Returns the plate that is still to be registered; an empty text when there is none. */
export function plateToRegister(): string {
  const stored = read()
  return stored && !stored.isRegistered ? stored.plate : ''
}

/** Records that the plate is registered: it is not filled in any more, and only its note is still carried. */
export function markPlateRegistered() {
  const stored = read()
  if (stored) write(stored.code === undefined ? null : { ...stored, isRegistered: true })
}
