import { useQuery } from '@tanstack/react-query'
import { CarFront } from 'lucide-react'
import { useId, useState } from 'react'
import { type ActivityWeek, getActivity, getStats } from '#contract/admin.ts'
import { PROVINCES, type Province, provinceName } from '#contract/provinces.ts'
import { formatShortDate } from '~/lib/dates/dates'
import { getLocale, LANGUAGE_TAGS } from '~/lib/i18n/i18n'
import { endpointQuery } from '~/lib/query/paged'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { provinceOptions, Select } from '~/ui/Select'
import { Skeleton } from '~/ui/Skeleton'
import { Loaded } from '~/ui/signed-in/LoadedPart'
import { ADMIN_QUERY_KEY } from './frame/queries.ts'

/** Fetches how many vehicles are active or verified, in total and by province. */
export const statsQuery = endpointQuery([ADMIN_QUERY_KEY, 'stats'], getStats, {})

const formatCount = (count: number | null): string =>
  count === null ? '—' : new Intl.NumberFormat(LANGUAGE_TAGS[getLocale()]).format(count)

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
              <p className="text-sm text-ink-soft">{m.admin_stats_counted()}</p>
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

/** Fetches what happened in each of the last twelve weeks. */
const activityQuery = endpointQuery([ADMIN_QUERY_KEY, 'activity'], getActivity, {})

type Measure = Exclude<keyof ActivityWeek, 'starts_on'>
const MEASURES: Record<Measure, () => string> = {
  registrations: m.admin_activity_registrations,
  messages: m.admin_activity_messages,
  reports: m.admin_activity_reports,
}
const NAMES = Object.keys(MEASURES) as Measure[]

/** Weeks begin by UTC; noon is on the same day in all of Canada. */
const weekText = ({ starts_on }: ActivityWeek): string => formatShortDate(`${starts_on}T12:00:00Z`)

/** Shows registrations, messages and reports of each of the last twelve weeks: as bars, and as a table behind them. */
export function ActivityCharts() {
  const heading = useId()
  return (
    <Loaded
      query={useQuery(activityQuery)}
      failedTitle={m.admin_activity_failed()}
      skeleton={<Skeleton className="h-96 rounded-2xl!" />}
    >
      {({ weeks }) => (
        <section aria-labelledby={heading}>
          <Card className="grid h-full content-start gap-4">
            <h2 id={heading} className="font-semibold text-ink-soft">
              {m.admin_activity_title()}
            </h2>
            <div className="grid gap-3">
              {NAMES.map((name) => (
                <WeekBars key={name} weeks={weeks} measure={name} />
              ))}
            </div>
            <details>
              <summary className="-mb-2 w-fit cursor-pointer py-2.5 font-bold text-pine">
                {m.admin_activity_table()}
              </summary>
              <WeekTable weeks={weeks} label={m.admin_activity_title()} />
            </details>
          </Card>
        </section>
      )}
    </Loaded>
  )
}

const HEIGHT = 56
const STEP = 20
const BAR = 14
/** What a full bar stands for at least, so that one event does not look like many. */
const LEAST_SCALE = 5
/** The least height of a bar, so that a week with few events does not look like one without any. */
const MIN_BAR = 3

/** Draws one measure. The current week, which is not over, is a paler bar with a dashed outline, which is visible without colours. */
function WeekBars({ weeks, measure }: { weeks: ActivityWeek[]; measure: Measure }) {
  const counts = weeks.map((week) => week[measure])
  const most = Math.max(LEAST_SCALE, ...counts.map((count) => count ?? 0))
  const current = counts.at(-1) ?? 0
  return (
    <figure className="grid grid-cols-[1fr_minmax(0,8rem)] sm:grid-cols-[1fr_minmax(0,12rem)] items-end gap-x-4">
      <figcaption>
        <span className="block font-bold">{MEASURES[measure]()}</span>
        <span className="text-sm text-ink-soft">{m.admin_activity_now({ count: formatCount(current) })}</span>
      </figcaption>
      <svg aria-hidden="true" viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT}`} className="w-full text-pine">
        {counts.map((count, i) => {
          const height = count ? Math.max(MIN_BAR, (count / most) * (HEIGHT - 2)) : 0
          const isCurrent = i === counts.length - 1
          return (
            <rect
              key={weeks[i]!.starts_on}
              x={i * STEP + 3}
              y={HEIGHT - 1 - height}
              width={BAR}
              height={height}
              rx="2"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeDasharray={isCurrent ? '3 2' : undefined}
              fill="currentColor"
              fillOpacity={isCurrent ? 0.25 : 1}
            >
              <title>{`${weekText(weeks[i]!)} · ${formatCount(count)}`}</title>
            </rect>
          )
        })}
        <line x1="0" x2={weeks.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-line-strong" />
      </svg>
    </figure>
  )
}

function WeekTable({ weeks, label }: { weeks: ActivityWeek[]; label: string }) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full">
        <thead>
          <tr className="border-b border-line text-left text-sm text-ink-soft">
            <th scope="col" className="py-2 pr-3">
              {m.admin_activity_week()}
            </th>
            {NAMES.map((name) => (
              <th key={name} scope="col" className="py-2 pl-3 text-right">
                {MEASURES[name]()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {weeks.map((week) => (
            <tr key={week.starts_on}>
              <th scope="row" className="py-2 pr-3 text-left font-normal">
                {weekText(week)}
              </th>
              {NAMES.map((name) => (
                <td key={name} className="py-2 pl-3 text-right tabular-nums">
                  {formatCount(week[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
