import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { chown, lstat, mkdir, rename, rm, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { canReach, firstInaccessibleFolder, resolveAccount, type SystemAccount } from './account.ts'
import { type PostgresBinaries, temporaryName } from './binaries.ts'
import { EmbeddedError, systemErrorCode, toFolderError } from './embedded-error.ts'
import { ensureDataFolder } from './lockfile.ts'
import { runProgram, spawnOptions } from './postmaster.ts'

/** The superuser of every embedded server. */
export const SUPERUSER = 'app'

/** Where root puts clusters whose data folder PostgreSQL's account cannot reach (below /root, for example). */
const FALLBACK_DATA_ROOT = '/var/lib/platenote'

/** `sockaddr_un.sun_path` has 104 bytes on macOS and 108 on Linux, the last of them a zero. */
const MAX_SOCKET_PATH_BYTES = 103

/** The folders that belong to one data folder, and the account that works on them. */
export type ClusterPaths = {
  /** The data folder as requested, absolute: contains the log and, on Windows, the password. */
  dataDir: string
  /** The same, or the folder outside root's home that replaces it. */
  baseDir: string
  /** The folder `initdb` created: PostgreSQL's own data folder. */
  clusterDir: string
  account: SystemAccount | undefined
}

/**
 * Decides where the cluster of a data folder is and which account runs it, and creates the folders. Only a data folder in
 * root's own home gets its cluster elsewhere: any other folder was chosen (a volume, for example), and data outside it could
 * be lost.
 */
export async function prepareClusterPaths(folder: string): Promise<ClusterPaths> {
  const dir = ensureDataFolder(folder)
  const paths = resolveClusterPaths(dir)
  const { account } = paths
  const blockedBy = account && firstInaccessibleFolder(paths.baseDir, account)
  if (!account || !blockedBy) return paths
  if (process.platform !== 'linux' || !`${dir}/`.startsWith(`${homedir()}/`) || existsSync(paths.clusterDir))
    throw unreachableError(blockedBy)
  const home = ensureDataFolder(join(FALLBACK_DATA_ROOT, createHash('sha256').update(dir).digest('hex').slice(0, 16)))
  const other = firstInaccessibleFolder(home, account)
  if (other) throw unreachableError(other)
  // the link says where the data is, even after `dir` was renamed
  await symlink(join(home, 'data'), join(dir, 'data')).catch((error) => {
    if (systemErrorCode(error) !== 'EEXIST') throw toFolderError(error, dir)
  })
  return resolveClusterPaths(dir)
}

/** Returns the paths of a data folder as they are now. */
export function resolveClusterPaths(dir: string): ClusterPaths {
  const cluster = join(dir, 'data')
  if (!lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink())
    return { dataDir: dir, baseDir: dir, clusterDir: cluster, account: resolveAccount(cluster) }
  const target = resolve(dir, readlinkSync(cluster))
  // never start with an empty database because a volume is not mounted
  if (!existsSync(dirname(target))) {
    throw new EmbeddedError(
      `The database of ${dir} was in ${target}, which is gone; bring it back, or remove ${cluster} to begin with an empty one.`,
    )
  }
  return { dataDir: dir, baseDir: dirname(target), clusterDir: target, account: resolveAccount(target) }
}

const unreachableError = (barrier: string) =>
  new EmbeddedError(
    `PostgreSQL does not run as root and cannot pass through ${barrier}; run: chmod o+x ${barrier}, or set DATA_DIR to another folder.`,
  )

/**
 * Creates the cluster unless there is one, and refuses one of another major version. `initdb` works in a sibling folder that
 * is renamed when complete: when interrupted it leaves no partial cluster, and of two concurrent ones the first wins.
 */
export async function ensureCluster(paths: ClusterPaths, binaries: PostgresBinaries, durable: boolean): Promise<void> {
  const { clusterDir, account } = paths
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return assertSameMajorVersion(clusterDir, binaries)
  const temporary = temporaryName(clusterDir)
  try {
    await mkdir(temporary, { mode: 0o700 })
    if (account) await chown(temporary, account.uid, account.gid)
    const { code, output } = await runProgram(binaries.initdb, initdbArguments(paths, temporary, durable), {
      ...spawnOptions(account),
      cwd: temporary,
    })
    if (code !== 0)
      throw new EmbeddedError(`The database folder ${clusterDir} could not be made: ${failureReason(output)}`)
    await rename(temporary, clusterDir)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!existsSync(join(clusterDir, 'PG_VERSION'))) throw toFolderError(error, paths.baseDir)
  }
}

function initdbArguments({ dataDir }: ClusterPaths, folder: string, durable: boolean): string[] {
  const access =
    process.platform === 'win32'
      ? ['--auth=scram-sha-256', `--pwfile=${ensurePasswordFile(dataDir)}`]
      : ['--auth-local=trust', '--auth-host=reject'] // the socket's folder decides who gets in
  return [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    ...access,
    '--encoding=UTF8',
    // sorted by code point, yet lower('É') is 'é'; the same on every operating system
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
}

function assertSameMajorVersion(cluster: string, { major }: PostgresBinaries): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (Number(found) === major) return
  throw new EmbeddedError(
    `${cluster} was made by PostgreSQL ${found} and this is PostgreSQL ${major}; run platenote backup with the release before, set DATA_DIR to a new folder, and run platenote restore with this one.`,
  )
}

/** Generates the superuser's password unless there is one, in a file only its owner can read (for Windows, where a port is open). */
export function ensurePasswordFile(dir: string): string {
  const file = join(dir, 'password')
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw toFolderError(error, dir)
  }
  return file
}

/**
 * Creates the folder of the unix socket, which only the server's account and root may enter: in the data folder if its path is
 * short enough, otherwise in the temporary folder under a name derived from the data folder. Another account could create a
 * folder of that name first, so a folder that others may enter is refused.
 */
export async function ensureSocketFolder({ baseDir, account }: ClusterPaths): Promise<string> {
  const inside = join(baseDir, 'run')
  const name = createHash('sha256').update(baseDir).digest('hex').slice(0, 16)
  const temporary = account && !canReach(tmpdir(), account) ? '/tmp' : tmpdir()
  const folder = fitsSocketPath(inside) ? inside : join(temporary, `platenote-${name}`)
  if (!fitsSocketPath(folder))
    throw new EmbeddedError(`The path ${temporary} is too long for a unix socket; set TMPDIR to a shorter one.`)
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account) await chown(folder, account.uid, account.gid)
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw toFolderError(error, dirname(folder))
  }
  // root died between creating the folder and changing its owner
  if (account && (await lstat(folder)).uid === 0) await chown(folder, account.uid, account.gid)
  assertPrivateFolder(folder, account)
  return folder
}

const fitsSocketPath = (folder: string) => Buffer.byteLength(join(folder, '.s.PGSQL.65535')) <= MAX_SOCKET_PATH_BYTES

/** Throws unless the socket folder is a real folder (no link) of the server's account that no other account may enter. */
export function assertPrivateFolder(folder: string, account: SystemAccount | undefined): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false })
  const own = entry?.isDirectory() && entry.uid === (account?.uid ?? process.getuid?.()) && (entry.mode & 0o077) === 0
  if (!own)
    throw new EmbeddedError(
      `${folder}, where PostgreSQL listens, is not a folder of its account alone; remove it and start again.`,
    )
}

/** Returns the line of a program's output that says why it failed. */
export function failureReason(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  // clients that connect meanwhile are refused with a FATAL of their own, which explains nothing
  const line =
    lines.findLast((text) => /FATAL|PANIC|error:/.test(text) && !/FATAL:\s+the database system is /.test(text)) ??
    lines.at(-1) ??
    'no message'
  // Node has started, and it needs the same libraries of the system: this is one of the package's own
  const library = /error while loading shared libraries: ([^:]+):/.exec(line)?.[1]
  if (library)
    return `${library} is missing among the packages; install them anew with npm ci, or set DATABASE_URL to a PostgreSQL server.`
  return line.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}
