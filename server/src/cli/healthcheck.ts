import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from '../config.ts'
import { SECOND_MS } from '../time.ts'
import { runCli } from './run.ts'

// node run.mjs cli/healthcheck: the health check of a container. Ends with 0 when the server on this machine is ready.
//
// --hangs-for=<seconds>: for whatever restarts what hangs. Ends with 0 only when the server takes connections and has answered none
// for so long; with 1 when it answers anything, does not run, or this command fails, so that nothing but a server that hangs is killed.

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

await runCli(async () => {
  const { values } = parseArgs({ options: { 'hangs-for': { type: 'string' } } })
  if (values['hangs-for'] !== undefined) {
    const seconds = Number(values['hangs-for'])
    if (!(seconds > 0)) throw new ConfigError('usage: cli/healthcheck [--hangs-for=<seconds>]')
    if (await hangs(seconds)) process.stderr.write(`no answer for ${seconds} s\n`)
    else process.exitCode = 1
    return
  }
  const status = await ask('/readyz')
  if (status === 200) return
  process.stderr.write(typeof status === 'number' ? `not ready: ${status}\n` : 'no answer\n')
  process.exitCode = 1
})
