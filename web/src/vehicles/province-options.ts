import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'

/** Returns the provinces as options of a `Select`, named and sorted in the language of the page. */
export function provinceOptions() {
  const locale = getLocale()
  return PROVINCES.map((province) => ({ value: province, label: provinceName(province, locale) })).sort((a, b) =>
    a.label.localeCompare(b.label, locale),
  )
}
