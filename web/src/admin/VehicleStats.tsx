import { useQuery } from '@tanstack/react-query'
import { CarFront } from 'lucide-react'
import { useId, useState } from 'react'
import type { AdminStats } from '#contract/admin.ts'
import { type Province, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n/i18n'
import { m } from '~/paraglide/messages'
import { Card } from '~/ui/Card'
import { ErrorState } from '~/ui/ErrorState'
import { Select } from '~/ui/Select'
import { Loading, Skeleton } from '~/ui/Skeleton'
import { provinceOptions } from '~/vehicles/province-options'
import { statsQuery } from './stats-query.ts'

/** Shows how many vehicles are active or verified, in all provinces or in one (requirements §6). */
export function VehicleStats() {
  const heading = useId()
  const { data, error, refetch } = useQuery(statsQuery)
  const [province, setProvince] = useState<Province | ''>('')

  if (!data && error) {
    return <ErrorState title={m.admin_stats_failed()} error={error} onRetry={() => void refetch()} />
  }
  return (
    <section aria-labelledby={heading}>
      <Card className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-[1fr_16rem] sm:items-end">
        <div className="grid grid-cols-1 gap-1">
          <h2 id={heading} className="flex items-center gap-2 font-semibold text-ink-soft">
            <CarFront aria-hidden="true" className="size-5 shrink-0" />
            {m.admin_stats_title()}
          </h2>
          {data ? (
            <p role="status" className="text-3xl leading-tight font-extrabold tabular-nums">
              {countText(data, province)}
            </p>
          ) : (
            <Loading>
              <Skeleton className="h-9 w-64 max-w-full" />
            </Loading>
          )}
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
  )
}

function countText({ total, by_province }: AdminStats, province: Province | ''): string {
  const count = province === '' ? total : by_province[province]
  return m.admin_stats_text({
    count: new Intl.NumberFormat(getLocale()).format(count),
    place: province === '' ? m.admin_stats_all() : provinceName(province, getLocale()),
  })
}
