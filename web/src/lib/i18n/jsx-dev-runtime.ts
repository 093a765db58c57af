import * as react from 'react/jsx-dev-runtime'
import { keepNameIn } from './jsx-runtime.ts'

export type { JSX } from 'react/jsx-dev-runtime'
export { Fragment } from 'react/jsx-dev-runtime'

/** Creates an element while the app is developed. */
export const jsxDEV: typeof react.jsxDEV = (type, props, ...rest) =>
  react.jsxDEV(type, keepNameIn(type, props as object), ...rest)
