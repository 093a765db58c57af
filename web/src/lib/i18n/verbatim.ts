import { createElement, Fragment, type ReactNode } from 'react'

const kept = (value: string) => createElement('span', { translate: 'no' }, value)

/** Renders a text whose values (plates, codes, names, addresses) stay as they are when a browser translates the page. */
export function verbatim(text: string, ...values: string[]): ReactNode {
  let parts: ReactNode[] = [text]
  for (const value of values.filter(Boolean))
    parts = parts.flatMap((part) =>
      typeof part === 'string' ? part.split(value).flatMap((rest, i) => (i > 0 ? [kept(value), rest] : rest)) : part,
    )
  return createElement(Fragment, null, ...parts)
}
