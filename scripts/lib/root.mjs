import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository; every command works from here, wherever it was called from. */
export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))
