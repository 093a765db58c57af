import type { AdminStats } from '#contract/admin.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'

/** Shows the vehicles of each province as bars, the most first. It is a table, with the numbers beside the bars. */
export function ProvinceBars({ by_province }: Pick<AdminStats, 'by_province'>) {
  const format = new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()])
  const rows = PROVINCES.map((province) => ({
    name: provinceName(province, getLocale()),
    count: by_province[province],
  })).sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, getLocale()))
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table className="w-full">
      {/* not `aria-label`: the list of provinces above has the label */}
      <caption className="sr-only">{m.admin_provinces()}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{m.admin_stats_province()}</th>
          <th scope="col">{m.admin_stats_title()}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, count }) => (
          <tr key={name}>
            <th scope="row" className="w-px py-1 pr-4 text-left font-normal text-ink-soft sm:whitespace-nowrap">
              {name}
            </th>
            <td className="py-1" aria-label={format.format(count)}>
              <span className="flex items-center gap-3">
                <svg aria-hidden="true" className="h-4 w-0 flex-1 text-pine">
                  <rect width="100%" height="100%" rx="4" className="fill-sunken" />
                  <rect width={`${(100 * count) / most}%`} height="100%" rx="4" fill="currentColor" />
                </svg>
                <span className="min-w-12 text-right font-bold tabular-nums">{format.format(count)}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
