import { useLocation } from 'react-router'

const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** The vehicle the address names (`#id`), and which visit it is: the same link can be followed twice. Null: none. */
export function useLinkedVehicle(): { id: string; visit: string } | null {
  const { hash, key } = useLocation()
  const id = hash.slice(1)
  return ID.test(id) ? { id: id.toLowerCase(), visit: key } : null
}
