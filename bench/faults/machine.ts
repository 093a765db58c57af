import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns an existing account to run PostgreSQL as, which refuses root; undefined unless this process is root. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const row = rows.find(([name]) => name === 'postgres') ?? rows.find(([name]) => name === 'nobody')
  if (!row) throw new Error('No account to run PostgreSQL as.')
  return { uid: Number(row[2]), gid: Number(row[3]) }
}

/** Returns the folder of the newest installed server programs, or undefined where none is installed. */
export function findPostgresPrograms(): string | undefined {
  const installed = globSync('/usr/lib/postgresql/*/bin').sort(
    (a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]),
  )
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  return [...installed, ...onPath].find((dir) => existsSync(join(dir, 'initdb')) && existsSync(join(dir, 'pg_ctl')))
}

/** Returns all processes, each with its parent. */
const readProcesses = () =>
  spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number])

/** Sends a signal to a process, unless it has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended already
  }
}

/**
 * Stops processes with all that descend from them, where they stand: their connections stay open, and nothing answers.
 *
 * @returns a function that lets them go on
 */
export function freezeTrees(roots: number[]): () => void {
  const frozen = new Set<number>()
  const freeze = (pid: number) => {
    signal(pid, 'SIGSTOP')
    frozen.add(pid)
  }
  roots.forEach(freeze)
  // a parent that is stopped starts no more children, so that this ends
  for (let before = 0; before < frozen.size; ) {
    before = frozen.size
    for (const [pid, parent] of readProcesses()) if (frozen.has(parent) && !frozen.has(pid)) freeze(pid)
  }
  return () => {
    for (const pid of frozen) signal(pid, 'SIGCONT')
  }
}
