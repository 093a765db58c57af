import { createContext } from 'react'

/** A query that knows its first request (`endpointQuery`, `pagedQuery`), with which the inline head script begins. */
export type EarlyQuery = { meta?: { url: string } | undefined }

/** The `handle` that a route module may export. */
export type RouteHandle = {
  /** A page of text, prerendered without any script. */
  static?: boolean
  /** A page with a plain form: it has no script but the one that sends such forms (decision forms-before-scripts). */
  plainForm?: boolean
  /** The path it is served at (from `paths`), when that is not the path it is prerendered at. */
  canonicalPath?: string
  /** It is served at any address, which the language link keeps. */
  anyAddress?: boolean
  /** A page for signed-in users, which opens in the language of their account (decision two-languages). */
  accountPage?: boolean
  /** The queries (or URLs) that a page of the app shows first: the inline head script fetches them while the rest loads. */
  prefetch?: (EarlyQuery | string)[]
}

/** True while the build renders the fallback page for client routes, which must keep its scripts (set in entry.server.tsx). */
export const SpaMode = createContext(false)
