import { type ChangeEvent, type FormEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What stands in each field; of a tick box 'on', or nothing. */
type Values = Record<string, string>

/** What is wrong with a field, in words; anything else: nothing. */
export type FieldErrors<V extends Values> = { [Name in keyof V]?: string | true | undefined }

type Parsed = { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }

/** What a schema of the contract found wrong (`safeParse`): the first fault of each field. */
export const zodErrors = ({ error }: Parsed): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]).reverse())

type UseFormOptions<V extends Values> = {
  /** What stands in the fields at first. */
  defaultValues: V
  /**
   * The form is in the page as it was sent, before its scripts. Its fields are then the browser's own, and are read when
   * they are needed: what was typed, or filled in by a password manager, until then stays.
   */
  uncontrolled?: boolean
  /** Looks at each field as soon as it has been left once, and not only when the form is sent. */
  validateOnBlur?: boolean
  validate: (values: V) => FieldErrors<V>
  /** Sends what `check` found right. What the server refuses about a field is shown there; the rest is said elsewhere. */
  onSubmit: (values: V) => Promise<void> | Promise<FieldErrors<V> | undefined>
}

type State<V extends Values> = {
  values: V
  /** The fields whose faults are shown. */
  touched: { [Name in keyof V]?: boolean | undefined }
  /** What the server said; it holds until the field is changed or the form is sent again. */
  serverErrors: FieldErrors<V>
  /** The field that takes the focus once its fault is on the page, so that a screen reader reads both. */
  focusRequest?: { name: keyof V } | undefined
}

export type Form<V extends Values> = ReturnType<typeof useForm<V>>

/**
 * A form: it is checked when it is sent, and from then on each field as it is typed. The first wrong field takes the
 * focus. Spread `props` into the form and `field(name)` into each field of the kit; the fields count in the order, and
 * only while, they stand on the page.
 */
export function useForm<V extends Values>({
  defaultValues,
  uncontrolled = false,
  validateOnBlur = false,
  validate,
  onSubmit,
}: UseFormOptions<V>) {
  const form = useRef<HTMLFormElement>(null)
  const wasSubmitted = useRef(false)
  const inFlight = useRef(false)
  const [pending, setPending] = useState(false)
  const [state, setState] = useState<State<V>>({ values: defaultValues, touched: {}, serverErrors: {} })
  const latest = useRef(state) // for a second event before the first has been drawn
  const { values, touched, serverErrors, focusRequest } = state

  const update = useCallback((part: Partial<State<V>>) => {
    latest.current = { ...latest.current, ...part }
    setState(latest.current)
  }, [])
  const controls = useCallback(
    () => ([...(form.current?.elements ?? [])] as Control[]).filter(({ name }) => name in latest.current.values),
    [],
  )
  const getValues = useCallback((): V => {
    const known = latest.current.values
    if (!uncontrolled) return known
    return { ...known, ...Object.fromEntries(controls().map((control) => [control.name, controlValue(control)])) }
  }, [uncontrolled, controls])
  const setFocus = useCallback(
    (name: keyof V) =>
      controls()
        .find((control) => control.name === name)
        ?.focus(),
    [controls],
  )
  const changeField = useCallback(
    (name: keyof V, value: string, touch = true) => {
      const current = latest.current
      update({
        values: { ...getValues(), [name]: value },
        touched: { ...current.touched, [name]: touch && (wasSubmitted.current || current.touched[name]) },
        serverErrors: { ...current.serverErrors, [name]: undefined },
      })
    },
    [getValues, update],
  )
  const setValue = useCallback(
    <Name extends keyof V>(name: Name, value: V[Name]) => {
      if (uncontrolled) fillControls(controls(), name, value)
      changeField(name, value, value !== '')
    },
    [uncontrolled, controls, changeField],
  )

  useLayoutEffect(() => {
    if (uncontrolled) update({ values: getValues() })
  }, [uncontrolled, getValues, update])
  useLayoutEffect(() => {
    if (focusRequest) setFocus(focusRequest.name)
  }, [focusRequest, setFocus])

  /** Shows these faults; true: there are some. */
  const showErrors = (part: Partial<State<V>>, errors: FieldErrors<V>) => {
    const first = controls().find(({ name }) => typeof errors[name] === 'string')
    update({ ...part, focusRequest: first && { name: first.name } })
    return first !== undefined
  }
  const submit = async () => {
    if (inFlight.current) return // a second press before the first has drawn its button
    wasSubmitted.current = true
    const submitted = getValues()
    const touchedFields = Object.fromEntries(controls().map(({ name }) => [name, true])) as State<V>['touched']
    if (showErrors({ values: submitted, touched: touchedFields, serverErrors: {} }, validate(submitted))) return
    inFlight.current = true
    setPending(true)
    try {
      const errors = await onSubmit(submitted)
      if (errors) showErrors({ serverErrors: errors }, errors)
    } finally {
      inFlight.current = false
      setPending(false)
    }
  }

  const errors = validate(values)
  const errorFor = (name: keyof V): string | undefined => {
    const error = serverErrors[name] ?? (touched[name] && errors[name])
    return typeof error === 'string' ? error : undefined
  }

  return {
    /** As they were last rendered. */
    values,
    /** As they are now. */
    getValues,
    /** Fills a field in. Emptied like that, it is asked for when the form is sent. */
    setValue,
    setFocus,
    /** It is being sent. */
    pending,
    formProps: {
      ref: form,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
    /** @param onChanged what else follows from a change by hand */
    register: (name: keyof V & string, onChanged?: () => void) => ({
      name,
      value: uncontrolled ? undefined : values[name],
      error: errorFor(name),
      onChange: (event: ChangeEvent<Control>) => {
        changeField(name, controlValue(event.target))
        onChanged?.()
      },
      onBlur: validateOnBlur ? () => update({ touched: { ...latest.current.touched, [name]: true } }) : undefined,
    }),
  }
}

function fillControls(controls: Control[], name: PropertyKey, value: string) {
  for (const control of controls) if (control.name === name) control.value = value
}

function controlValue(control: Control): string {
  if (control.type !== 'checkbox') return control.value
  return (control as HTMLInputElement).checked ? 'on' : ''
}
