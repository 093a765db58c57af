import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { statsQuery } from './stats-query.ts'

/** Shows the vehicles of each province as bars, the most first. It is a table, with the numbers beside the bars. */
export function ProvinceBars() {
  const heading = useId()
  const { data, error } = useQuery(statsQuery)
  if (!data && error) return null // the count above says so
  const format = new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()])
  const rows = PROVINCES.map((province) => ({
    name: provinceName(province, getLocale()),
    count: data?.by_province[province] ?? 0,
  })).sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, getLocale()))
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <Card className="grid content-start gap-4">
      <h2 id={heading} className="font-semibold text-ink-soft">
        {m.admin_provinces()}
      </h2>
      {data ? (
        <table aria-labelledby={heading} className="w-full">
          <thead className="sr-only">
            <tr>
              <th scope="col">{m.admin_stats_province()}</th>
              <th scope="col">{m.admin_stats_title()}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, count }) => (
              <tr key={name}>
                <th
                  scope="row"
                  className="w-px py-0.5 pr-4 text-left text-sm font-normal text-ink-soft min-[20rem]:whitespace-nowrap sm:text-base"
                >
                  {name}
                </th>
                <td aria-label={format.format(count)}>
                  <span className="flex items-center gap-2">
                    <svg aria-hidden="true" className="h-3 w-0 flex-1 text-pine">
                      <rect width={`${(100 * count) / most}%`} height="100%" rx="3" fill="currentColor" />
                    </svg>
                    <span className="min-w-8 text-right font-bold tabular-nums">{format.format(count)}</span>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Loading>
          <Skeleton className="h-72" />
        </Loading>
      )}
    </Card>
  )
}
