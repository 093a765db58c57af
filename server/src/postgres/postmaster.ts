import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readFileSync, readlinkSync, realpathSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SystemAccount } from './account.ts'

/** What a running PostgreSQL writes about itself into `postmaster.pid` of its cluster. */
export type Postmaster = { pid: number; port: number; socketFolder: string; status: string }

/** Reads `postmaster.pid`; null when there is none or it is not complete. It may be stale: see `isAlive`. */
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
 * Is that process the PostgreSQL of this cluster? After a crash the process id may be a zombie nobody collects, or, after
 * a restart of the machine or the container, belong to any other program.
 */
export async function isAlive({ pid }: Postmaster, cluster: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false // gone, or another account's: the owner of a cluster is the one who runs it
  }
  if (process.platform === 'linux') return isWorkingIn(pid, cluster)
  if (process.platform === 'win32') return true // process ids of other programs do not answer PostgreSQL there
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return !stdout.startsWith('Z') && stdout.includes('postgres')
}

/** A postmaster's working folder is its cluster; a zombie has none. */
function isWorkingIn(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return false
  }
}

/**
 * Makes a stale `postmaster.pid` harmless; leaves that of a living server alone. PostgreSQL gives up when the process id
 * in it exists, whoever that is, but not when it is its own parent's; so the first line becomes this process, which is to
 * start it. The other lines stay: from them PostgreSQL learns whether an orphan of the dead server still works on the files.
 */
export async function neutralizeStalePid(cluster: string): Promise<void> {
  const found = readPostmaster(cluster)
  if (!found || (await isAlive(found, cluster))) return
  const file = join(cluster, 'postmaster.pid')
  const [pid, ...rest] = readFileSync(file, 'utf8').split('\n')
  if (Number(pid) !== found.pid) return
  // in place: a full disk could leave a file that was emptied first empty, and then no PostgreSQL ever starts there
  const fd = openSync(file, 'r+')
  try {
    ftruncateSync(fd, writeSync(fd, [process.pid, ...rest].join('\n')))
  } finally {
    closeSync(fd)
  }
}

/**
 * What every PostgreSQL program is started with. The environment is emptied: PostgreSQL has no use for our secrets, and
 * `PG…` variables of the caller would change what it does.
 */
export function spawnOptions(account: SystemAccount | undefined): SpawnOptions {
  const inherited = ['PATH', 'SystemRoot', 'windir', 'ComSpec', 'TEMP', 'TMP'].flatMap((name) => {
    const value = process.env[name]
    return value ? [[name, value] as const] : []
  })
  return { ...account, env: { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true }
}

/** Runs a program to its end. `output` is what it wrote to both streams, or why it could not be run. */
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

/** The end of a started program, to be asked at any time: undefined while it runs. */
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
