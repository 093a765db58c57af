import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, in which every command runs, whatever the current folder was. */
export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)))
