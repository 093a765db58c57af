import { SEARCH_MAX, type VehicleFilters } from '#contract/admin.ts'
import { PROVINCES } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'
import { m } from '~/paraglide/messages'
import { SearchField } from '~/ui/Field'
import { provinceOptions, Select } from '~/ui/Select'
import { adminStatusText } from './AdminStatusBadge.tsx'

/** The filters, by the names of their parameters in the address. */
export const FILTER_NAMES = ['plate', 'email', 'province', 'status'] as const
type FilterName = (typeof FILTER_NAMES)[number]

/** The statuses to filter by, in the order of requirements §9. */
const FILTER_STATUSES = ['active', 'pending_verification', 'rejected', 'verified'] as const satisfies VehicleStatus[]

/** Returns the filters to request. An address may contain anything: values that are no filter are left out. */
export const parseFilters = ({ plate, email, province, status }: Record<FilterName, string>): VehicleFilters => ({
  plate: plate.slice(0, SEARCH_MAX) || undefined,
  email: email.slice(0, SEARCH_MAX) || undefined,
  province: PROVINCES.find((one) => one === province),
  status: FILTER_STATUSES.find((one) => one === status),
})

type Props = {
  fieldValues: Record<FilterName, string>
  onType: (name: FilterName, text: string) => void
  onChoose: (name: FilterName, value: string) => void
}

/** Shows the filters above the list of vehicles. */
export function VehicleFiltersBar({ fieldValues, onType, onChoose }: Props) {
  return (
    <search aria-label={m.admin_filters()} className="grid grid-cols-2 items-end gap-x-3 gap-y-4 pb-6 xl:grid-cols-4">
      <SearchField
        maxLength={SEARCH_MAX}
        label={m.admin_filter_plate()}
        value={fieldValues.plate}
        onChange={(event) => onType('plate', event.target.value)}
      />
      <SearchField
        maxLength={SEARCH_MAX}
        label={m.admin_filter_email()}
        inputMode="email"
        value={fieldValues.email}
        onChange={(event) => onType('email', event.target.value)}
      />
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.vehicles_province()}
          placeholder={m.admin_stats_all()}
          options={provinceOptions()}
          value={fieldValues.province}
          onChange={(event) => onChoose('province', event.target.value)}
        />
      </div>
      <div className="col-span-2 sm:col-span-1">
        <Select
          label={m.admin_filter_status()}
          placeholder={m.admin_filter_all_statuses()}
          options={FILTER_STATUSES.map((value) => ({ value, label: adminStatusText(value) }))}
          value={fieldValues.status}
          onChange={(event) => onChoose('status', event.target.value)}
        />
      </div>
    </search>
  )
}
