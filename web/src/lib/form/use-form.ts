import { type ChangeEvent, type FormEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The values by field name; a ticked checkbox is 'on', another one empty. */
export type Values = Record<string, string>

/** The error text by field name; a field with anything else is valid. */
export type FieldErrors<V extends Values> = { [Name in keyof V]?: string | true | undefined }

type Parsed = { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }

/** Returns the first error of each field from what a schema of the contract found (`safeParse`). */
export const zodErrors = ({ error }: Parsed): Record<string, string> =>
  Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]).reverse())

export type UseFormOptions<V extends Values> = {
  /** The initial values; none for a form without fields. */
  defaultValues?: V
  /**
   * For a form in a prerendered page. The browser holds its values, and they are read when they are needed: what was typed
   * before hydration, or filled in by a password manager, is not lost.
   */
  uncontrolled?: boolean
  /** Validates each field once it has lost the focus, and not only when the form is submitted. */
  validateOnBlur?: boolean
  validate?: (values: V) => FieldErrors<V>
  /**
   * Sends valid values. May resolve with errors of fields; an `ApiError` with errors of fields on the page may be thrown. Whatever else
   * it throws is the `failure`, unless `fieldError` returns the field that it is about, with its text.
   */
  onSubmit: (values: V) => Promise<void> | Promise<FieldErrors<V> | undefined>
  fieldError?: (error: unknown) => FieldErrors<V> | undefined
}

type State<V extends Values> = {
  values: V
  /** The fields whose errors are shown. */
  touched: { [Name in keyof V]?: boolean | undefined }
  /** The server's errors, until the field is changed or the form is submitted again. */
  serverErrors: FieldErrors<V>
  /** The field to focus once its error is rendered, so that a screen reader reads both. */
  focusRequest?: { name: keyof V } | undefined
}

export type Form<V extends Values> = ReturnType<typeof useForm<V>>

/**
 * Holds the state of a form. It is validated when it is submitted, and each field as it is typed from then on. The first
 * invalid field gets the focus. Spread `formProps` into the form and `register(name)` into each field; only the fields on
 * the page count, in their order there.
 */
export function useForm<V extends Values>({
  defaultValues = {} as V,
  uncontrolled = false,
  validateOnBlur = false,
  validate = () => ({}),
  onSubmit,
  fieldError,
}: UseFormOptions<V>) {
  const form = useRef<HTMLFormElement>(null)
  const wasSubmitted = useRef(false)
  const inFlight = useRef(false)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [state, setState] = useState<State<V>>({ values: defaultValues, touched: {}, serverErrors: {} })
  const latest = useRef(state) // for a second event before the first has been rendered
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

  /** Shows these errors; returns whether there are any. */
  const showErrors = (part: Partial<State<V>>, errors: FieldErrors<V>) => {
    const first = controls().find(({ name }) => typeof errors[name] === 'string')
    update({ ...part, focusRequest: first && { name: first.name } })
    return first !== undefined
  }
  const submit = async () => {
    if (inFlight.current) return // pressed again before the pending button was rendered
    wasSubmitted.current = true
    const submitted = getValues()
    const touchedFields = Object.fromEntries(controls().map(({ name }) => [name, true])) as State<V>['touched']
    if (showErrors({ values: submitted, touched: touchedFields, serverErrors: {} }, validate(submitted))) return
    inFlight.current = true
    setPending(true)
    setFailure(null)
    try {
      const errors = await onSubmit(submitted)
      if (errors) showErrors({ serverErrors: errors }, errors)
    } catch (error) {
      // an ApiError, known by its fields: what sends needs the session, which needs the drafts of this folder
      const known = (error instanceof Error && 'fields' in error ? error.fields : {}) as FieldErrors<V>
      const fields = Object.keys(known).length > 0 ? known : (fieldError?.(error) ?? {})
      if (!(error instanceof Error) || !('fields' in error)) console.error(error) // a bug, which not every form can show
      if (!showErrors({ serverErrors: fields }, fields)) setFailure(error)
    } finally {
      inFlight.current = false
      setPending(false)
    }
  }

  /** Validates one field, which shows its error and gets the focus; returns whether it is valid. */
  const checkField = (name: keyof V & string): boolean => {
    const typed = getValues()
    const isValid = typeof validate(typed)[name] !== 'string'
    const { touched: known } = latest.current
    update({ values: typed, touched: { ...known, [name]: true }, focusRequest: isValid ? undefined : { name } })
    return isValid
  }

  const errors = validate(values)
  const errorFor = (name: keyof V): string | undefined => {
    const error = serverErrors[name] ?? (touched[name] && errors[name])
    return typeof error === 'string' ? error : undefined
  }

  return {
    /** The values as they were last rendered. */
    values,
    /** Returns the present values. */
    getValues,
    /** Fills in a field. One that it empties shows an error only when the form is submitted. */
    setValue,
    setFocus,
    checkField,
    /** Whether it is being submitted. */
    pending,
    /** Why it was not sent the last time, where no field is to blame; null otherwise. */
    failure,
    setFailure,
    formProps: {
      ref: form,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit()
      },
    },
    /** @param onChanged called when the user changes the field */
    register: (name: keyof V & string, onChanged?: () => void) => ({
      name: name as string, // so that a part of a form can be given the whole of it
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
