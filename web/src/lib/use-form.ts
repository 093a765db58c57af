import { type ChangeEvent, type FormEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What stands in each field; of a tick box 'on', or nothing. */
type Values = Record<string, string>

/** What is wrong with a field, in words; anything else: nothing. */
export type Verdict<V extends Values> = { [Name in keyof V]?: string | true | undefined }

type Parsed = { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }

/** What a schema of the contract found wrong (`safeParse`): the first fault of each field. */
export const faultsOf = ({ error }: Parsed): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]).reverse())

type Options<V extends Values> = {
  /** What stands in the fields at first. */
  start: V
  /**
   * The form is in the page as it was sent, before its scripts. Its fields are then the browser's own, and are read when
   * they are needed: what was typed, or filled in by a password manager, until then stays.
   */
  prerendered?: boolean
  /** Looks at each field as soon as it has been left once, and not only when the form is sent. */
  whenLeft?: boolean
  check: (values: V) => Verdict<V>
  /** Sends what `check` found right. What the server refuses about a field is shown there; the rest is said elsewhere. */
  send: (values: V) => Promise<void> | Promise<Verdict<V> | undefined>
}

type State<V extends Values> = {
  values: V
  /** The fields whose faults are shown. */
  judged: { [Name in keyof V]?: boolean | undefined }
  /** What the server said; it holds until the field is changed or the form is sent again. */
  refused: Verdict<V>
  /** The field that takes the focus once its fault is on the page, so that a screen reader reads both. */
  toFocus?: { name: keyof V } | undefined
}

export type Form<V extends Values> = ReturnType<typeof useForm<V>>

/**
 * A form: it is checked when it is sent, and from then on each field as it is typed. The first wrong field takes the
 * focus. Spread `props` into the form and `field(name)` into each field of the kit; the fields count in the order, and
 * only while, they stand on the page.
 */
export function useForm<V extends Values>({ start, prerendered = false, whenLeft = false, check, send }: Options<V>) {
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef(false)
  const sending = useRef(false)
  const [pending, setPending] = useState(false)
  const [state, setState] = useState<State<V>>({ values: start, judged: {}, refused: {} })
  const latest = useRef(state) // for a second event before the first has been drawn
  const { values, judged, refused, toFocus } = state

  const update = useCallback((part: Partial<State<V>>) => {
    latest.current = { ...latest.current, ...part }
    setState(latest.current)
  }, [])
  const controls = useCallback(
    () => ([...(form.current?.elements ?? [])] as Control[]).filter(({ name }) => name in latest.current.values),
    [],
  )
  const read = useCallback((): V => {
    const known = latest.current.values
    if (!prerendered) return known
    return { ...known, ...Object.fromEntries(controls().map((control) => [control.name, textIn(control)])) }
  }, [prerendered, controls])
  const focus = useCallback(
    (name: keyof V) =>
      controls()
        .find((control) => control.name === name)
        ?.focus(),
    [controls],
  )
  const put = useCallback(
    (name: keyof V, value: string, toJudge = true) => {
      const { judged, refused } = latest.current
      update({
        values: { ...read(), [name]: value },
        judged: { ...judged, [name]: toJudge && (sent.current || judged[name]) },
        refused: { ...refused, [name]: undefined },
      })
    },
    [read, update],
  )
  const write = useCallback(
    <Name extends keyof V>(name: Name, value: V[Name]) => {
      if (prerendered) fill(controls(), name, value)
      put(name, value, value !== '')
    },
    [prerendered, controls, put],
  )

  useLayoutEffect(() => {
    if (prerendered) update({ values: read() })
  }, [prerendered, read, update])
  useLayoutEffect(() => {
    if (toFocus) focus(toFocus.name)
  }, [toFocus, focus])

  /** Shows these faults; true: there are some. */
  const refuse = (part: Partial<State<V>>, faults: Verdict<V>) => {
    const first = controls().find(({ name }) => typeof faults[name] === 'string')
    update({ ...part, toFocus: first && { name: first.name } })
    return first !== undefined
  }
  const submit = async () => {
    if (sending.current) return // a second press before the first has drawn its button
    sent.current = true
    const handedIn = read()
    const onPage = Object.fromEntries(controls().map(({ name }) => [name, true])) as State<V>['judged']
    if (refuse({ values: handedIn, judged: onPage, refused: {} }, check(handedIn))) return
    sending.current = true
    setPending(true)
    try {
      const faults = await send(handedIn)
      if (faults) refuse({ refused: faults }, faults)
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  const faults = check(values)
  const errorOf = (name: keyof V): string | undefined => {
    const fault = refused[name] ?? (judged[name] && faults[name])
    return typeof fault === 'string' ? fault : undefined
  }

  return {
    /** As they were last rendered. */
    values,
    /** As they are now. */
    read,
    /** Fills a field in. Emptied like that, it is asked for when the form is sent. */
    write,
    focus,
    /** It is being sent. */
    pending,
    props: {
      ref: form,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
    /** @param changed what else follows from a change by hand */
    field: (name: keyof V & string, changed?: () => void) => ({
      name,
      value: prerendered ? undefined : values[name],
      error: errorOf(name),
      onChange: (event: ChangeEvent<Control>) => {
        put(name, textIn(event.target))
        changed?.()
      },
      onBlur: whenLeft ? () => update({ judged: { ...latest.current.judged, [name]: true } }) : undefined,
    }),
  }
}

function fill(controls: Control[], name: PropertyKey, value: string) {
  for (const control of controls) if (control.name === name) control.value = value
}

function textIn(control: Control): string {
  if (control.type !== 'checkbox') return control.value
  return (control as HTMLInputElement).checked ? 'on' : ''
}
