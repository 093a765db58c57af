import { join } from 'node:path'
import { loadConfig } from './config.ts'
import { explainDatabaseError } from './db/explain-error.ts'
import { openDatabase } from './db/open-database.ts'
import { drainMs } from './http/drain.ts'
import { isOperatorError } from './log/operator-error.ts'
import { describeError } from './log/safe-error.ts'
import { startServer } from './start.ts'
import { SECOND_MS } from './time.ts'

const SHUTDOWN_TIMEOUT_MS = 30 * SECOND_MS
const WEB_BUILD = join(import.meta.dirname, '../../web/build')

/** Returns one line for what the operator can put right, and the stack of everything else. */
function explainStartupError(error: unknown): string {
  if (isOperatorError(error)) return `PlateNote: ${error.message}`
  const { code, syscall, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code === 'EADDRINUSE') return `PlateNote: PORT ${port} is taken; stop what uses it or set PORT to another`
  if (code === 'EACCES' && syscall === 'listen')
    return `PlateNote: PORT ${port} is not allowed for this user; set PORT to 1024 or more`
  if (code === 'EADDRNOTAVAIL') return `PlateNote: HOST ${address} is no address of this machine`
  if (code === 'ENOSPC') return `PlateNote: the disk of ${path ?? 'DATA_DIR'} is full (${code}); free some space on it`
  return `PlateNote could not start.\n${error instanceof Error ? error.stack : String(error)}`
}

// whoever reads what is printed may stall, go away, or keep it on a disk that is full: that is no reason to stop serving
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  const config = loadConfig(process.env)
  const { db, supervise, close } = await openDatabase(config)
  try {
    // a worker serves only its health checks
    const running = await startServer(config, db, { webRoot: config.ROLE === 'worker' ? undefined : WEB_BUILD })
    const stopSupervising = supervise(running.context.log)
    let stopping = false
    const stop = async (status: 0 | 1) => {
      if (stopping) return
      stopping = true
      running.context.log.info('stopping')
      const timeoutMs = SHUTDOWN_TIMEOUT_MS + (status === 0 ? drainMs(config) : 0)
      setTimeout(() => process.exit(1), timeoutMs).unref()
      if (status === 0) await running.app.drain()
      stopSupervising()
      await running.stop()
      await close()
      process.exit(status)
    }
    // whichever way it is told to end, its PostgreSQL must not be left running
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => void stop(0))
    // an uncaught error leaves an unknown state: stop, and be started again from outside. Node's own report would quote the
    // error's message, and with it perhaps what people wrote.
    process.on('uncaughtException', (error) => {
      running.context.log.fatal({ error: describeError(error) }, 'uncaught error')
      void stop(1)
    })
    process.stdout.write(`PlateNote is ready at ${config.PUBLIC_URL}\n`)
  } catch (error) {
    await close()
    throw explainDatabaseError(error, config)
  }
} catch (error) {
  process.stderr.write(`${explainStartupError(error)}\n`)
  process.exit(1)
}
