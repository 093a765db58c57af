// chunk: reasons

import { m } from '#texts/messages.js'
import { LOCALES, type Locale } from './product.ts'

const QUARTERS = Array.from({ length: 96 }, (_, i) => {
  const pad = (n: number) => String(n).padStart(2, '0')
  return `until_${pad(Math.floor(i / 4))}${pad((i % 4) * 15)}` as const
})

/**
 * What somebody at a vehicle may add to the reason (decision windshield-tag): a fixed list, so that nothing of their own can be
 * written. `until_0815` is a quarter hour on the clock where the vehicle stands.
 */
export const GUEST_CHIPS = ['waiting_here', 'no_hurry', ...QUARTERS] as const
type GuestChip = (typeof GUEST_CHIPS)[number]

/** One of each kind at most. */
export const GUEST_CHIPS_MAX = 3

/** Returns the hour and minute of a chip like `until_0815`; null for the others. */
function chipTime(chip: GuestChip): { hour: number; minute: number } | null {
  const [, hour, minute] = /^until_(\d\d)(\d\d)$/.exec(chip) ?? []
  return hour === undefined ? null : { hour: Number(hour), minute: Number(minute) }
}

// written here, because the versions of browsers and servers differ in how they write times
const TIMES: Record<Locale, (hour: number, minute: string) => string> = {
  en: (hour, minute) => `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`,
  'fr-CA': (hour, minute) => `${hour} h ${minute}`,
}

/** Returns the text of a chip, in the owner's language. */
export function chipText(chip: GuestChip, locale: Locale): string {
  if (chip === 'waiting_here') return m.chip_waiting_here({}, { locale })
  if (chip === 'no_hurry') return m.chip_no_hurry({}, { locale })
  const { hour, minute } = chipTime(chip)!
  const time = TIMES[locale](hour, String(minute).padStart(2, '0'))
  return m.chip_until({ time }, { locale })
}

/** Returns a sentence that `chipText` wrote, in another language; null for any other text. */
export function translateChipText(text: string, locale: Locale): string | null {
  const chip = GUEST_CHIPS.find((one) => LOCALES.some((language) => chipText(one, language) === text))
  return chip === undefined ? null : chipText(chip, locale)
}
