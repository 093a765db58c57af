import { CANADIAN_TIME_ZONES } from '#contract/time-zones.ts'
import { m } from '~/paraglide/messages'

const CANADIAN_NAMES: Record<(typeof CANADIAN_TIME_ZONES)[number], () => string> = {
  'America/St_Johns': m.profile_zone_st_johns,
  'America/Halifax': m.profile_zone_halifax,
  'America/Toronto': m.profile_zone_toronto,
  'America/Winnipeg': m.profile_zone_winnipeg,
  'America/Regina': m.profile_zone_regina,
  'America/Edmonton': m.profile_zone_edmonton,
  'America/Vancouver': m.profile_zone_vancouver,
  'America/Whitehorse': m.profile_zone_whitehorse,
}

/** Returns the zone of the device; undefined where the browser does not say. */
export const deviceTimeZone = (): string | undefined => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the zones to choose from: those of Canada by name, and then the chosen one and all that the browser knows. */
export function timeZoneOptions(chosen: string): { value: string; label: string }[] {
  const canadian = CANADIAN_TIME_ZONES.map((value) => ({ value, label: CANADIAN_NAMES[value]() }))
  // Safari before 15.4 has no list
  const known = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
  const others = new Set([...known, chosen, deviceTimeZone() ?? chosen].sort())
  for (const zone of CANADIAN_TIME_ZONES) others.delete(zone)
  return [...canadian, ...[...others].map((value) => ({ value, label: value.replaceAll('_', ' ') }))]
}
