import { useSearchParams } from 'react-router'
import type { ReceivedFilter } from './queries.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the filter of received messages in the address of the page, and what changes it. An address may contain anything. */
export function useReceivedFilter(): [ReceivedFilter, (filter: ReceivedFilter) => void] {
  const [search, setSearch] = useSearchParams()
  const vehicle = search.get('vehicle') ?? ''
  const filter: ReceivedFilter = {
    ...(ID.test(vehicle) && { vehicle_id: vehicle }),
    ...(search.get('unread') === '1' && { unread: 'true' }),
  }
  const setFilter = ({ vehicle_id, unread }: ReceivedFilter) =>
    setSearch(
      { view: 'received', ...(vehicle_id && { vehicle: vehicle_id }), ...(unread && { unread: '1' }) },
      { replace: true, preventScrollReset: true },
    )
  return [filter, setFilter]
}
