import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { MINUTE_MS, withTimeout } from '../time.ts'

const SOURCES = join(import.meta.dirname, '..')

type ExitStatus = [code: number | null, signal: NodeJS.Signals | null]

/** One of the server's programs, running as a process of its own. */
export type ServerProcess = {
  child: ChildProcess
  /** Returns what it has written to standard output so far. */
  out(): string
  /** Returns what it has written to standard error so far. */
  err(): string
  /** Returns what it has written to standard error since the last call. */
  takeErr(): string
  /** Resolves once it has ended and all of its output was read. */
  ended: Promise<ExitStatus>
  /** Resolves with the first line of its output; rejects with its standard error when it ends before or takes too long. */
  firstLine(timeoutMs?: number): Promise<string>
  /** Sends the signal unless it has ended, and resolves once it has. */
  stop(signal?: NodeJS.Signals): Promise<ExitStatus>
}

export type SpawnOptions = {
  cwd?: string
  /** The folder of another installation to run, in place of this one. */
  installation?: string | undefined
  /** `inherit` shows standard error in the terminal instead of collecting it. */
  stderr?: 'pipe' | 'inherit'
}

/**
 * Starts a program of the server, a file below `server/src`.
 *
 * @param env its whole environment besides PATH and where Node keeps what it compiled, which saves each process 0.4 s of the processor
 */
export function spawnServerFile(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  { cwd, installation, stderr = 'pipe' }: SpawnOptions = {},
): ServerProcess {
  const sources = installation === undefined ? SOURCES : join(installation, 'server/src')
  const child = spawn(process.execPath, [join(sources, file), ...args], {
    stdio: ['ignore', 'pipe', stderr],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    ...(cwd !== undefined && { cwd }),
  })
  let [out, err, errTaken] = ['', '', 0]
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = once(child, 'close') as Promise<ExitStatus>

  return {
    child,
    out: () => out,
    err: () => err,
    takeErr() {
      const taken = err.slice(errTaken)
      errTaken = err.length
      return taken
    },
    ended,
    async firstLine(timeoutMs = 5 * MINUTE_MS) {
      const line = new Promise<string>((resolve, reject) => {
        const check = () => {
          if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')))
        }
        child.stdout!.on('data', check)
        check()
        ended.then(() => reject(new Error(`${file} ended before it was ready:\n${err}`)), reject)
      })
      return withTimeout(line, timeoutMs)
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
}

/** Starts the product as `npm start` does, without waiting until it is ready. */
export const spawnProduct = (env: NodeJS.ProcessEnv, options?: SpawnOptions): ServerProcess =>
  spawnServerFile('main.ts', [], env, options)

/** Starts the product and waits until it is ready; kills it when it takes longer than `startTimeoutMs`. */
export async function startProduct(
  env: NodeJS.ProcessEnv,
  { startTimeoutMs, ...options }: SpawnOptions & { startTimeoutMs?: number } = {},
): Promise<ServerProcess & { readyLine: string }> {
  const product = spawnProduct(env, options)
  try {
    return { ...product, readyLine: await product.firstLine(startTimeoutMs) }
  } catch (error) {
    product.child.kill('SIGKILL')
    throw error
  }
}

/** Starts `platenote <command>`. */
export const spawnCommand = (command: string, args: string[], env: NodeJS.ProcessEnv): ServerProcess =>
  spawnServerFile('cli/platenote.ts', [command, ...args], env)

/** Runs `platenote <command>` to its end. */
export async function runCommand(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; out: string; err: string }> {
  const { ended, out, err } = spawnCommand(command, args, env)
  const [code] = await ended
  return { code, out: out(), err: err() }
}
