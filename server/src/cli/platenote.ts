import { parseArgs } from 'node:util'
import { isOperatorError } from '../log/operator-error.ts'
import { type Command, UsageError } from './command.ts'

// platenote <command>: everything that is done to an installation by hand. scripts/platenote.mjs runs it in the repository,
// scripts/artefact/platenote.mjs in the artefact and the image.

/** The exit code of a call that makes no sense; 1 is for what failed or was refused. */
const WRONG_CALL = 2

const START: Command = {
  help: `Usage: platenote start

Starts the server: pages, API and background work, or the part that ROLE names. Migrates the database first. SIGTERM,
SIGINT, SIGHUP and SIGQUIT stop it once its last requests have been answered. In the repository, npm start also installs and builds.

Exit codes: 0 stopped by a signal; 1 could not start, or stopped by an error that nothing expected.

Example: PORT=8080 platenote start
`,
  async run(args) {
    parseArgs({ args })
    await import('../main.ts')
  },
}

/** Only the command that is called is loaded: a container asks for its health every few seconds. */
const COMMANDS: Record<string, { summary: string; load: () => Promise<{ command: Command }> }> = {
  start: { summary: 'starts the server', load: async () => ({ command: START }) },
  admin: { summary: 'makes admins; suspends, signs out and resets accounts', load: () => import('./admin.ts') },
  backup: { summary: 'makes a backup beside a running server, or verifies one', load: () => import('./backup.ts') },
  restore: { summary: 'restores a backup into an empty database', load: () => import('./restore.ts') },
  doctor: { summary: 'checks an installation, and says what to do', load: () => import('./doctor.ts') },
  mails: { summary: 'shows the emails that wait or failed, and sends them', load: () => import('./mails.ts') },
  migrate: { summary: 'brings the database up to date', load: () => import('./migrate.ts') },
  'rotate-keys': { summary: 'makes old master keys unneeded', load: () => import('./rotate-keys.ts') },
  seed: { summary: 'fills an empty database with people to try PlateNote with', load: () => import('./seed.ts') },
  healthcheck: { summary: 'says whether the server on this machine is ready', load: () => import('./healthcheck.ts') },
}

const HELP = `Usage: platenote <command> [arguments]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`)
  .join('\n')}

platenote <command> --help says what a command does, its arguments, options and exit codes, with an example.
Every command takes its settings from the environment, and from .env in the folder of PlateNote.
`

function refuse(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exitCode = WRONG_CALL
}

/** Returns whether the arguments ask for help; after -- nothing is an option. */
const asksForHelp = (args: string[]) =>
  args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).some((arg) => arg === '--help' || arg === '-h')

/** Returns how a command was called wrongly, if that is what an error says: its own words, or those of `util.parseArgs`. */
function explainWrongCall(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_'))) return
  return error.message.split('. ')[0]
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined) refuse(HELP.trimEnd())
else if (name === 'help' || asksForHelp([name])) process.stdout.write(HELP)
else if (!Object.hasOwn(COMMANDS, name))
  refuse(`platenote: there is no command ${name}; platenote --help lists the commands`)
else {
  try {
    const { command } = await COMMANDS[name]!.load()
    if (asksForHelp(args)) process.stdout.write(command.help)
    else await command.run(args)
  } catch (error) {
    const wrongCall = explainWrongCall(error)
    if (wrongCall !== undefined)
      refuse(`platenote ${name}: ${wrongCall}; platenote ${name} --help says how it is called`)
    else {
      // a line for the operator, or else the stack
      const text = isOperatorError(error) ? error.message : error instanceof Error ? error.stack : String(error)
      process.stderr.write(`${text}\n`)
      process.exitCode = 1
    }
  }
}
