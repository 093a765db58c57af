import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement

type Options = {
  /** Of the field. */
  name: string
  /** What stands in the field until somebody types. */
  known: string
  /** What somebody had typed before, and not sent. */
  kept?: string | undefined
  /** True, or what is wrong with the text. */
  validate: (typed: string) => true | string
  /**
   * Sends the text. True: it is sent, and the field shows what is known again. Words: they are shown at the field, which
   * takes the focus. Undefined: not sent, which is said elsewhere.
   */
  send: (typed: string) => Promise<true | string | undefined>
  onType?: (typed: string) => void
}

/**
 * A form of one text: it is checked when it is sent, and from then on as it is typed. Forms of several fields use
 * react-hook-form, which the pages that have none of those need not load.
 */
export function useTextForm({ name, known, kept, validate, send, onType }: Options) {
  const [typed, setTyped] = useState(kept)
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(false)
  const control = useRef<Control>(null)
  const tried = useRef(false)
  const sending = useRef(false)
  const text = typed ?? known

  const passes = (value: string) => {
    const outcome = validate(value)
    setError(outcome === true ? undefined : outcome)
    return outcome === true
  }
  const write = (value: string) => {
    setTyped(value)
    onType?.(value)
    if (tried.current) passes(value)
  }
  const submit = async () => {
    if (sending.current) return // a second press before the first has drawn its button
    tried.current = true
    if (!passes(text)) return control.current?.focus()
    sending.current = true
    setPending(true)
    try {
      const outcome = await send(text)
      if (typeof outcome === 'string') {
        setError(outcome)
        control.current?.focus()
      }
      if (outcome !== true) return
      tried.current = false
      setTyped(undefined)
    } finally {
      sending.current = false
      setPending(false)
    }
  }

  return {
    text,
    error,
    pending,
    write,
    focus: () => control.current?.focus(),
    /** For the form. */
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      void submit()
    },
    /** For the field, `TextField`, `TextArea` or `PasswordField`. */
    field: {
      name,
      ref: (element: Control | null) => {
        control.current = element
      },
      value: text,
      error,
      onChange: (event: ChangeEvent<Control>) => write(event.target.value),
    },
  }
}
