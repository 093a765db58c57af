import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

type InstalledServer = { name: string; url: string; socket: string; user: string; stop(): void }

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

/** Starts an installed PostgreSQL with its default, durable settings in a temporary folder; undefined where none is installed. */
export function startInstalledPostgres(): InstalledServer | undefined {
  const bin = findPostgresPrograms()
  if (!bin) return undefined
  const dir = mkdtempSync(join(tmpdir(), 'platenote-bench-pg-'))
  const account = unprivilegedAccount()
  if (account) chownSync(dir, account.uid, account.gid)
  const run = (program: string, ...args: string[]) => {
    const done = spawnSync(join(bin, program), args, {
      ...account,
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`)
  }
  const data = join(dir, 'data')
  run('initdb', '-D', data, '-A', 'trust', '-U', 'app', '-E', 'UTF8', '--locale=C')
  run('pg_ctl', '-D', data, '-w', '-l', join(dir, 'log'), '-o', `-k ${dir} -c listen_addresses=`, 'start')
  const version = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout.trim().split(' ')[2]
  return {
    name: `installed PostgreSQL ${version}`,
    url: `postgres://app@localhost/postgres?host=${encodeURIComponent(dir)}`,
    socket: dir,
    user: 'app',
    stop() {
      run('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
