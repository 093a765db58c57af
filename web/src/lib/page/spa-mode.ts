import { createContext } from 'react'

/** True while the build renders the fallback page for client routes (entry.server.tsx sets it): that file must keep its scripts. */
export const SpaMode = createContext(false)
