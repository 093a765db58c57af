import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

const DEBOUNCE_MS = 300
/** Marks the history entries that this hook wrote. */
const OWN_NAVIGATION = 'filters'

type Values<Name extends string> = Record<Name, string>

/**
 * Stores the filters of a list in the address, so that a reload, a shared link and the back button restore them. Typed
 * text gets there after a pause and replaces the history entry, so that no half words remain; a choice adds an entry.
 *
 * @param names the parameters in the address; a constant, because an effect depends on it
 */
export function useSearchParamFilters<Name extends string>(names: readonly Name[]) {
  const { key, search, state } = useLocation()
  const navigationType = useNavigationType()
  const navigate = useNavigate()
  const applied = readParams(search, names)
  /** What the fields show; the address follows after a pause. */
  const [fieldValues, setFieldValues] = useState(applied)
  /** What was last written to the address; that navigation may still be pending. */
  const [pendingValues, setPendingValues] = useState(applied)
  const [lastKey, setLastKey] = useState(key)

  if (lastKey !== key) {
    setLastKey(key)
    // somebody went back or followed a link. This hook's own navigation must not reset what was typed meanwhile
    if (navigationType === 'POP' || state !== OWN_NAVIGATION) {
      setFieldValues(applied)
      setPendingValues(applied)
    }
  }

  const apply = (values: Values<Name>, replace: boolean) => {
    setFieldValues(values)
    if (isSame(values, pendingValues, names)) return
    setPendingValues(values)
    const params = new URLSearchParams(search)
    for (const name of names) {
      if (values[name].trim() === '') params.delete(name)
      else params.set(name, values[name].trim())
    }
    void navigate({ search: params.toString() }, { replace, state: OWN_NAVIGATION, preventScrollReset: true })
  }
  const applyTyped = useEffectEvent(() => apply(fieldValues, true))
  useEffect(() => {
    if (isSame(fieldValues, pendingValues, names)) return
    const timer = setTimeout(applyTyped, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [fieldValues, pendingValues, names])

  return {
    /** The values in the address, which the list follows. */
    inUrl: applied,
    fieldValues,
    onType: (name: Name, value: string) => setFieldValues({ ...fieldValues, [name]: value }),
    onChoose: (name: Name, value: string) => apply({ ...fieldValues, [name]: value }, false),
    clear: () => apply(readParams('', names), false),
  }
}

function readParams<Name extends string>(search: string, names: readonly Name[]): Values<Name> {
  const params = new URLSearchParams(search)
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Values<Name>
}

const isSame = <Name extends string>(one: Values<Name>, other: Values<Name>, names: readonly Name[]) =>
  names.every((name) => one[name].trim() === other[name].trim())
