import type { ProcessFigures } from '#contract/health.ts'
import { getLocale, LANGUAGE_TAGS, type Locale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

const BYTES_PER_MB = 1e6
const MB_PER_GB = 1000
const MS_PER_S = 1000
const S_PER_MIN = 60
const MIN_PER_H = 60

/** `en-US` writes units as Canadians do: '12 ms', where `en-CA` has '12 millisecs'. */
const UNIT_TAGS: Record<Locale, string> = { en: 'en-US', 'fr-CA': LANGUAGE_TAGS['fr-CA'] }

const formatUnit = (value: number, unit: string, digits = 0): string =>
  new Intl.NumberFormat(UNIT_TAGS[getLocale()], {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value)

export const formatCount = (count: number): string => new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()]).format(count)

/** Formats a size: '318 MB', '12.3 GB', '12,3 Go'. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MB
  return megabytes < MB_PER_GB ? formatUnit(megabytes, 'megabyte') : formatUnit(megabytes / MB_PER_GB, 'gigabyte', 1)
}

/** Formats a duration by its largest unit: '12 ms', '1.5 sec', '5 min', '1 h'. */
export function formatDuration(ms: number): string {
  const seconds = ms / MS_PER_S
  if (seconds < 1) return formatUnit(ms, 'millisecond')
  if (seconds < S_PER_MIN) return formatUnit(seconds, 'second', 1)
  const minutes = seconds / S_PER_MIN
  return minutes < MIN_PER_H ? formatUnit(minutes, 'minute') : formatUnit(minutes / MIN_PER_H, 'hour')
}

const ROLES: Record<ProcessFigures['role'], () => string> = {
  web: m.health_role_web,
  worker: m.health_role_worker,
  all: m.health_role_all,
}

/** Names a process by its role and the end of its id, which is random; the beginning is the time. */
export const processName = ({ role, id }: Pick<ProcessFigures, 'role' | 'id'>): string =>
  `${ROLES[role]()} ${id.slice(-4)}`
