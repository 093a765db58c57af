import { createElement, type ReactNode } from 'react'

/**
 * Renders a text whose values (plates, codes, names, addresses) stay as they are when a browser translates the page, and break
 * anywhere where they are too long for a line.
 */
export function verbatim(text: string, ...values: string[]): ReactNode {
  let parts: ReactNode[] = [text]
  for (const value of values.filter(Boolean))
    parts = parts.flatMap((part) =>
      typeof part === 'string'
        ? part.split(value).flatMap((rest, i) => (i > 0 ? [createElement('span', KEPT, value), rest] : rest))
        : part,
    )
  return createElement('span', null, ...parts) // one element, also where its parent lays out its children side by side
}

const KEPT = { translate: 'no' } as const
