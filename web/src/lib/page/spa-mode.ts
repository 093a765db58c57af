import { createContext } from 'react'

/** True while the build renders the fallback page for client routes, which must keep its scripts (set in entry.server.tsx). */
export const SpaMode = createContext(false)
