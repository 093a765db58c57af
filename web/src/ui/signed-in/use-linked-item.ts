import { useLocation } from 'react-router'

export const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** An item of a list that the address names, and the visit, since the same link can be followed twice. */
export type LinkedItem = { id: string; visit: string }

/** Returns the item whose id is the fragment of the address (`#id`); null when the address names none. */
export function useLinkedItem(): LinkedItem | null {
  const { hash, key } = useLocation()
  const id = hash.slice(1)
  return UUID.test(id) ? { id: id.toLowerCase(), visit: key } : null
}
