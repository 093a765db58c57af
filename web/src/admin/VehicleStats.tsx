import { queryOptions, useQuery } from '@tanstack/react-query'
import { CarFront } from 'lucide-react'
import { useId, useState } from 'react'
import { getStats } from '#contract/admin.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { call } from '~/lib/http/api'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { provinceOptions, Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** Fetches how many vehicles are active or verified, in total and by province. */
export const statsQuery = queryOptions({
  queryKey: [ADMIN_QUERY_KEY, 'stats'],
  queryFn: ({ signal }) => call(getStats, {}, { signal }),
})

const formatCount = (count: number): string => new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()]).format(count)

/** Shows how many vehicles are active or verified, in all provinces or in one (requirements §6). */
export function VehicleStats() {
  const heading = useId()
  const [province, setProvince] = useState<Province | ''>('')
  return (
    <Loaded
      query={useQuery(statsQuery)}
      failedTitle={m.admin_stats_failed()}
      skeleton={<Skeleton className="h-34 rounded-2xl!" />}
    >
      {({ total, by_province }) => (
        <section aria-labelledby={heading}>
          <Card className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-[1fr_16rem] sm:items-end">
            <div className="grid grid-cols-1 gap-1">
              <h2 id={heading} className="flex items-center gap-2 font-semibold text-ink-soft">
                <CarFront aria-hidden="true" className="size-5 shrink-0" />
                {m.admin_stats_title()}
              </h2>
              <p role="status" className="text-3xl leading-tight font-extrabold tabular-nums">
                {m.admin_stats_text({
                  count: formatCount(province === '' ? total : by_province[province]),
                  place: province === '' ? m.admin_stats_all() : provinceName(province, getLocale()),
                })}
              </p>
            </div>
            <Select
              label={m.admin_stats_province()}
              placeholder={m.admin_stats_all()}
              options={provinceOptions()}
              value={province}
              onChange={(event) => setProvince(event.target.value as Province | '')}
            />
          </Card>
        </section>
      )}
    </Loaded>
  )
}

/** Shows the vehicles of each province as bars, the most first. It is a table, with the numbers beside the bars. */
export function ProvinceBars() {
  const heading = useId()
  const { data } = useQuery(statsQuery)
  if (!data) return null // the count above says why
  const rows = PROVINCES.map((province) => ({
    name: provinceName(province, getLocale()),
    count: data.by_province[province] ?? 0,
  })).sort((a, b) => b.count - a.count || a.name.localeCompare(b.name, getLocale()))
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <Card className="grid content-start gap-4">
      <h2 id={heading} className="font-semibold text-ink-soft">
        {m.admin_provinces()}
      </h2>
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
              <td aria-label={formatCount(count)}>
                <span className="flex items-center gap-2">
                  <svg aria-hidden="true" className="h-3 w-0 flex-1 text-pine">
                    <rect width={`${(100 * count) / most}%`} height="100%" rx="3" fill="currentColor" />
                  </svg>
                  <span className="min-w-8 text-right font-bold tabular-nums">{formatCount(count)}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
