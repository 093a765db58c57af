import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

const TYPING_PAUSE_MS = 300
/** Marks the steps of the history that this hook wrote. */
const OWN = 'filters'

type Values<Name extends string> = Record<Name, string>

/**
 * The filters of a list, kept in the address: a reload, a shared link and the back button bring them back. What is
 * typed gets there after a pause and leaves no trail of half words behind; what is chosen is a step to go back from.
 *
 * @param names the parameters of the address, a constant of the module
 */
export function useUrlFields<Name extends string>(names: readonly Name[]) {
  const { key, search, state } = useLocation()
  const arrival = useNavigationType()
  const navigate = useNavigate()
  const inUrl = read(search, names)
  /** What the fields show; the address follows. */
  const [shown, setShown] = useState(inUrl)
  /** What this page last wrote to the address, which may still be on its way there. */
  const [written, setWritten] = useState(inUrl)
  const [seen, setSeen] = useState(key)

  if (seen !== key) {
    setSeen(key)
    // somebody went back or followed a link; what this hook wrote may arrive while the next letter is typed
    if (arrival === 'POP' || state !== OWN) {
      setShown(inUrl)
      setWritten(inUrl)
    }
  }

  const write = (values: Values<Name>, replace: boolean) => {
    setShown(values)
    if (same(values, written, names)) return
    setWritten(values)
    const params = new URLSearchParams(search)
    for (const name of names) {
      if (values[name].trim() === '') params.delete(name)
      else params.set(name, values[name].trim())
    }
    void navigate({ search: params.toString() }, { replace, state: OWN, preventScrollReset: true })
  }
  const pause = useEffectEvent(() => write(shown, true))
  useEffect(() => {
    if (same(shown, written, names)) return
    const timer = setTimeout(pause, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [shown, written, names])

  return {
    /** What the address says: the list follows it. */
    inUrl,
    shown,
    type: (name: Name, value: string) => setShown({ ...shown, [name]: value }),
    choose: (name: Name, value: string) => write({ ...shown, [name]: value }, false),
    clear: () => write(read('', names), false),
  }
}

function read<Name extends string>(search: string, names: readonly Name[]): Values<Name> {
  const params = new URLSearchParams(search)
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Values<Name>
}

const same = <Name extends string>(one: Values<Name>, other: Values<Name>, names: readonly Name[]) =>
  names.every((name) => one[name].trim() === other[name].trim())
