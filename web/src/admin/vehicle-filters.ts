import { SEARCH_MAX, type VehicleFilters } from '#contract/admin.ts'
import { PROVINCES } from '#contract/provinces.ts'
import type { VehicleStatus } from '#contract/vehicles.ts'

/** The filters by their names in the address. */
export const FILTER_NAMES = ['plate', 'email', 'province', 'status'] as const
export type FilterName = (typeof FILTER_NAMES)[number]

/** The statuses one can filter by, in the order of requirements §9. */
export const FILTER_STATUSES = [
  'active',
  'pending_verification',
  'rejected',
  'verified',
] as const satisfies VehicleStatus[]

/** What the server is asked for. An address may hold anything: what is no filter counts as none. */
export const parseFilters = ({ plate, email, province, status }: Record<FilterName, string>): VehicleFilters => ({
  plate: plate.slice(0, SEARCH_MAX) || undefined,
  email: email.slice(0, SEARCH_MAX) || undefined,
  province: PROVINCES.find((one) => one === province),
  status: FILTER_STATUSES.find((one) => one === status),
})
