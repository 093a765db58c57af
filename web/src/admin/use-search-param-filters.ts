import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigation, useNavigationType, useSearchParams } from 'react-router'

const DEBOUNCE_MS = 300

/** Marks the history entries that this hook wrote. */
const OWN_NAVIGATION = 'filters'

/**
 * Stores the filters of a list in the address, so that a reload, a shared link and the back button restore them. Typed
 * text gets there after a pause and replaces the history entry, so that no half words remain; a choice adds an entry.
 *
 * @param names the parameters in the address
 */
export function useSearchParamFilters<Name extends string>(names: readonly Name[]) {
  const { key, state } = useLocation()
  const isOwn = useNavigationType() !== 'POP' && state === OWN_NAVIGATION
  const [params, setParams] = useSearchParams()
  /** What was typed or chosen, which the address follows; nothing where somebody went back or followed a link. */
  const [chosen, setChosen] = useState<{ [name in Name]?: string }>({})
  const [lastKey, setLastKey] = useState(key)
  if (lastKey !== key) {
    setLastKey(key)
    if (!isOwn) setChosen({})
  }
  const inUrl = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>
  const fieldValues = { ...inUrl, ...chosen }

  const apply = (values: Record<Name, string>, replace: boolean) => {
    if (names.every((name) => values[name].trim() === inUrl[name].trim())) return
    const next = new URLSearchParams(params)
    for (const name of names) {
      if (values[name].trim() === '') next.delete(name)
      else next.set(name, values[name].trim())
    }
    setParams(next, { replace, state: OWN_NAVIGATION, preventScrollReset: true })
  }
  const isUnderWay = useNavigation().state !== 'idle'
  const applyTyped = useEffectEvent((typed: typeof chosen) => {
    if (typed === chosen) apply(fieldValues, true) // not once somebody has gone back
  })
  useEffect(() => {
    if (isUnderWay) return // to go elsewhere now would keep a choice from adding its entry
    const timer = setTimeout(applyTyped, DEBOUNCE_MS, chosen)
    return () => clearTimeout(timer)
  }, [chosen, isUnderWay])

  const choose = (values: Record<Name, string>) => {
    setChosen(values)
    apply(values, false)
  }
  return {
    /** The values in the address, which the list follows. */
    inUrl,
    fieldValues,
    onType: (name: Name, value: string) => setChosen({ ...fieldValues, [name]: value }),
    onChoose: (name: Name, value: string) => choose({ ...fieldValues, [name]: value }),
    clear: () => choose(Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>),
  }
}
