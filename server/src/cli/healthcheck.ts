import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { SECOND_MS } from '../time.ts'
import { type Command, UsageError } from './command.ts'

const TIMEOUT_MS = 4 * SECOND_MS
const EVERY_ADDRESS = new Set(['0.0.0.0', '::'])

/** Asks the server for a page. Returns the status; undefined when the port is closed or the connection ends; `silent` when nothing comes. */
async function ask(path: string): Promise<number | 'silent' | undefined> {
  const { HOST, PORT } = loadConfig(process.env)
  const host = EVERY_ADDRESS.has(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  try {
    return (await fetch(`http://${host}:${PORT}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'silent' : undefined
  }
}

/** Counts tries and not the time: a machine that stood still for an hour has not asked for an hour. */
async function hangs(seconds: number): Promise<boolean> {
  for (let asked = 0; asked < seconds * SECOND_MS; asked += TIMEOUT_MS)
    if ((await ask('/healthz')) !== 'silent') return false
  return true
}

export const command: Command = {
  help: `Usage: platenote healthcheck [--hangs-for=<seconds>]

Asks the server on this machine (HOST, PORT) whether it is ready to answer requests. For a container or whatever else watches
over it.

  --hangs-for=<seconds>   asks instead whether to kill it, for whatever restarts what hangs: has it taken connections and
                          answered none for so long?

Exit codes: 0 it is ready; 1 it is not. With --hangs-for: 0 it hangs; any other code when it answers anything, does not run, or
this command fails or is called wrongly, so that nothing but a server that hangs is killed.

Example: platenote healthcheck --hangs-for=60 && systemctl kill --signal=SIGKILL platenote
`,
  async run(args) {
    const { values } = parseArgs({ args, options: { 'hangs-for': { type: 'string' } } })
    if (values['hangs-for'] !== undefined) {
      const seconds = Number(values['hangs-for'])
      if (!(seconds > 0)) throw new UsageError('--hangs-for takes a number of seconds')
      if (await hangs(seconds)) process.stderr.write(`no answer for ${seconds} s\n`)
      else process.exitCode = 1
      return
    }
    const status = await ask('/readyz')
    if (status === 200) return
    process.stderr.write(typeof status === 'number' ? `not ready: ${status}\n` : 'no answer\n')
    process.exitCode = 1
  },
}
