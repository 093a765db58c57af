import { SEARCH_MAX } from '#contract/admin.ts'
import { PROVINCES, provinceName } from '#contract/provinces.ts'
import { getLocale } from '~/lib/i18n'
import { m } from '~/paraglide/messages'
import { TextField } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { statusTexts } from './AdminStatusBadge.tsx'
import { FILTER_STATUSES, type FilterName } from './vehicle-filters.ts'

type Props = {
  shown: Record<FilterName, string>
  type: (name: FilterName, text: string) => void
  choose: (name: FilterName, value: string) => void
}

/** The filters above the list of vehicles. */
export function VehicleFiltersBar({ shown, type, choose }: Props) {
  const text = {
    type: 'search',
    maxLength: SEARCH_MAX,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    enterKeyHint: 'search',
  } as const
  return (
    <search aria-label={m.admin_filters()} className="grid grid-cols-2 items-end gap-x-3 gap-y-4 pb-6 xl:grid-cols-4">
      <TextField
        {...text}
        label={m.admin_filter_plate()}
        value={shown.plate}
        onChange={(event) => type('plate', event.target.value)}
      />
      <TextField
        {...text}
        label={m.admin_filter_email()}
        inputMode="email"
        value={shown.email}
        onChange={(event) => type('email', event.target.value)}
      />
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.vehicles_province()}
          placeholder={m.admin_stats_all()}
          options={PROVINCES.map((value) => ({ value, label: provinceName(value, getLocale()) }))}
          value={shown.province}
          onChange={(event) => choose('province', event.target.value)}
        />
      </div>
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.admin_filter_status()}
          placeholder={m.admin_filter_all_statuses()}
          options={FILTER_STATUSES.map((value) => ({ value, label: statusTexts[value]() }))}
          value={shown.status}
          onChange={(event) => choose('status', event.target.value)}
        />
      </div>
    </search>
  )
}
