import { type ElementType, Fragment, type Key, type ReactNode } from 'react'
import * as react from 'react/jsx-runtime'
import { PRODUCT } from '#contract/product.ts'
import { verbatim } from './verbatim.ts'

export type { JSX } from 'react/jsx-runtime'
export { Fragment } from 'react/jsx-runtime'

/*
 * What JSX becomes (`jsxImportSource` in web/tsconfig.json): React's own functions, but in every text the product's name stays as it is
 * when a browser translates the page, so that no screen has to remember it (decision translated-pages).
 */

type Props = { children?: ReactNode }

const isNamed = (child: ReactNode) => typeof child === 'string' && child.includes(PRODUCT)
const keepName = (child: ReactNode) => (isNamed(child) ? verbatim(child as string, PRODUCT) : child)

/** Returns the props of an element with the product's name marked in its texts. Components pass theirs on to elements. */
export function keepNameIn(type: unknown, props: Props): Props {
  const { children } = props
  if (typeof type !== 'string' && type !== Fragment) return props
  if (isNamed(children)) return { ...props, children: keepName(children) }
  if (!Array.isArray(children) || !children.some(isNamed)) return props
  return { ...props, children: children.map(keepName) }
}

/** Creates an element with at most one child. */
export const jsx = (type: ElementType, props: Props, key?: Key) => react.jsx(type, keepNameIn(type, props), key)

/** Creates an element with several children. */
export const jsxs = (type: ElementType, props: Props, key?: Key) => react.jsxs(type, keepNameIn(type, props), key)
