import { parseArgs } from 'node:util'
import type { Command } from './command.ts'

export const command: Command = {
  help: `Usage: platenote start

Starts the server: pages, API and background work, or the part that ROLE names. Migrates the database first. SIGTERM and
SIGINT stop it once its last requests have been answered. In the repository, npm start also installs and builds.

Exit codes: 0 stopped by a signal; 1 could not start, or stopped by an error that nothing expected.

Example: PORT=8080 platenote start
`,
  async run(args) {
    parseArgs({ args })
    await import('../main.ts')
  },
}
