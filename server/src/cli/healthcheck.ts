import { loadConfig } from '../config.ts'
import { SECOND_MS } from '../time.ts'
import { runCli } from './run.ts'

// node run.mjs cli/healthcheck: the health check of a container. Ends with 0 when the server on this machine is ready.

const TIMEOUT_MS = 4 * SECOND_MS
const EVERY_ADDRESS = new Set(['0.0.0.0', '::'])

await runCli(async () => {
  const { HOST, PORT } = loadConfig(process.env)
  const host = EVERY_ADDRESS.has(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  const response = await fetch(`http://${host}:${PORT}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  )
  if (response?.ok) return
  process.stderr.write(response ? `not ready: ${response.status}\n` : 'no answer\n')
  process.exitCode = 1
})
