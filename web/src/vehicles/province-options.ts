import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'

/** The choices of a `Select`: provinces by their names in the page's language, in its alphabet. */
export function provinceOptions() {
  const locale = getLocale()
  return PROVINCES.map((province) => ({ value: province, label: provinceName(province, locale) })).sort((a, b) =>
    a.label.localeCompare(b.label, locale),
  )
}
