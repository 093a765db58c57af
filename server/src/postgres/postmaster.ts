import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readFileSync, readlinkSync, realpathSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SystemAccount } from './account.ts'

/** The facts a running PostgreSQL writes about itself into `postmaster.pid` of its cluster. */
export type Postmaster = { pid: number; port: number; socketFolder: string; status: string }

/** Reads `postmaster.pid`; returns null when it is missing or incomplete. It may be stale: see `isAlive`. */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!pid) return null
  return { pid, port, socketFolder: lines[4] ?? '', status: lines[7]?.trim() ?? '' }
}

/**
 * Returns whether that process is the PostgreSQL of this cluster. After a crash the process id may be a zombie that is never
 * collected, or, after a restart of the machine or the container, belong to any other program.
 */
export async function isAlive({ pid }: Postmaster, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false // ended, or another account's: only the owner of a cluster runs it
  }
  if (process.platform === 'linux') return isWorkingIn(pid, cluster)
  if (process.platform === 'win32') return true // process ids of other programs do not answer PostgreSQL there
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return !stdout.startsWith('Z') && stdout.includes('postgres')
}

/** Returns whether the process works in the cluster's folder, as its postmaster does; a zombie has no working folder. */
function isWorkingIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return false
  }
}

/**
 * Makes a stale `postmaster.pid` harmless; leaves that of a live server alone. PostgreSQL gives up when the process id in it
 * exists, whatever the process is, but not when it is its own parent's; so the first line becomes this process, which is
 * about to start it. The other lines stay: they show PostgreSQL whether an orphan of the dead server still uses the files.
 */
export async function neutralizeStalePid(cluster: string): Promise<void> {
  const found = readPostmaster(cluster)
  if (!found || (await isAlive(found, cluster))) return
  const file = join(cluster, 'postmaster.pid')
  const [pid, ...rest] = readFileSync(file, 'utf8').split('\n')
  if (Number(pid) !== found.pid) return
  // in place: on a full disk a file that is emptied first could stay empty, and then PostgreSQL would never start there
  const fd = openSync(file, 'r+')
  try {
    ftruncateSync(fd, writeSync(fd, [process.pid, ...rest].join('\n')))
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns the options every PostgreSQL program is started with. Its environment is nearly empty: PostgreSQL has no use for our
 * secrets, and `PG…` variables of the caller would change its behaviour.
 */
export function spawnOptions(account: SystemAccount | undefined): SpawnOptions {
  const inherited = ['PATH', 'SystemRoot', 'windir', 'ComSpec', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.env[name]
    return value ? [[name, value] as const] : []
  })
  return { ...account, env: { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true }
}

/** Runs a program to its end. `output` has everything it wrote to both streams, or why it could not be run. */
export function runProgram(
  program: string,
  args: string[],
  options: SpawnOptions,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Returns a function that says how a started program has ended, or undefined while it is running. */
export function trackExit(child: ChildProcess): () => string | undefined {
  let end: string | undefined
  child.once('error', (error) => {
    end = error.message
  })
  child.once('exit', (code, signal) => {
    end ??= signal ? `ended by ${signal}` : `exit code ${code}`
  })
  return () => end
}
