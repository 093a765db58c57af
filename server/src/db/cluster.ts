import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { chown, lstat, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeDataFolder } from './data-folder.ts'
import { type Account, accountFor, barrierTo, canReach } from './embedded-account.ts'
import type { Binaries } from './embedded-binaries.ts'
import { EmbeddedError, errorCode, folderError } from './embedded-error.ts'
import { run, spawnOptions } from './postmaster.ts'

/** The superuser of every embedded server. */
export const SUPERUSER = 'app'

/** Where root keeps clusters whose data folder PostgreSQL's account cannot reach (below /root, say). */
const ELSEWHERE = '/var/lib/platenote'

/** `sockaddr_un.sun_path` holds 104 bytes on macOS, 108 on Linux, the last of them a zero. */
const SOCKET_PATH_BYTES = 103

/** Where everything of one data folder lies and who works on it. */
export type Place = {
  /** the data folder as asked for, absolute: holds the log and, on Windows, the password */
  dir: string
  /** `dir`, or the folder outside root's home that stands in for it */
  home: string
  /** what `initdb` made: PostgreSQL's own data folder */
  cluster: string
  account: Account | undefined
}

/**
 * Settles where the cluster of a data folder lies and who runs it, and makes the folders. Only a clone in root's own home
 * gets its cluster elsewhere: anywhere else the folder was chosen (a volume, say), and data outside it could be lost.
 */
export async function findPlace(folder: string): Promise<Place> {
  const dir = makeDataFolder(folder)
  const place = placeOf(dir)
  const { account } = place
  const barrier = account && barrierTo(place.home, account)
  if (!account || !barrier) return place
  if (process.platform !== 'linux' || !`${dir}/`.startsWith(`${homedir()}/`) || existsSync(place.cluster))
    throw unreachable(barrier)
  const home = makeDataFolder(join(ELSEWHERE, createHash('sha256').update(dir).digest('hex').slice(0, 16)))
  const other = barrierTo(home, account)
  if (other) throw unreachable(other)
  // the link says where the data is, also after `dir` was renamed
  await symlink(join(home, 'data'), join(dir, 'data')).catch((error) => {
    if (errorCode(error) !== 'EEXIST') throw folderError(error, dir)
  })
  return placeOf(dir)
}

/** The place of a data folder as it is now. */
export function placeOf(dir: string): Place {
  const cluster = join(dir, 'data')
  if (!lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink())
    return { dir, home: dir, cluster, account: accountFor(cluster) }
  const target = resolve(dir, readlinkSync(cluster))
  // never begin an empty database because a volume is not mounted
  if (!existsSync(dirname(target))) {
    throw new EmbeddedError(
      `The database of ${dir} was in ${target}, which is gone; bring it back, or remove ${cluster} to begin with an empty one.`,
    )
  }
  return { dir, home: dirname(target), cluster: target, account: accountFor(target) }
}

const unreachable = (barrier: string) =>
  new EmbeddedError(
    `PostgreSQL does not run as root and cannot pass through ${barrier}; run: chmod o+x ${barrier}, or set DATA_DIR to another folder.`,
  )

/**
 * Makes the cluster unless there is one, and refuses one of another major version. `initdb` works in a sibling folder
 * that gets its name when complete: interrupted, it leaves no half cluster, and of two at once one wins.
 */
export async function ensureCluster(place: Place, binaries: Binaries, durable: boolean): Promise<void> {
  const { cluster, account } = place
  if (existsSync(join(cluster, 'PG_VERSION'))) return refuseOtherVersion(cluster, binaries)
  const unfinished = unfinishedName(cluster)
  try {
    await mkdir(unfinished, { mode: 0o700 })
    if (account) await chown(unfinished, account.uid, account.gid)
    const { code, output } = await run(binaries.initdb, initdbArguments(place, unfinished, durable), {
      ...spawnOptions(account),
      cwd: unfinished,
    })
    if (code !== 0) throw new EmbeddedError(`The database folder ${cluster} could not be made: ${reason(output)}`)
    await rename(unfinished, cluster)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(join(cluster, 'PG_VERSION'))) throw folderError(error, place.home)
  }
}

function initdbArguments({ dir }: Place, folder: string, durable: boolean): string[] {
  const access =
    process.platform === 'win32'
      ? ['--auth=scram-sha-256', `--pwfile=${passwordFile(dir)}`]
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

function refuseOtherVersion(cluster: string, { major }: Binaries): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (Number(found) === major) return
  throw new EmbeddedError(
    `${cluster} was made by PostgreSQL ${found} and this is PostgreSQL ${major}; move the data with pg_dumpall or pg_upgrade, or set DATA_DIR to a new folder.`,
  )
}

/** A name beside `path` for work that gets its final name when it is complete. */
export const unfinishedName = (path: string) => `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`

/** Removes what interrupted starts left in a folder. */
export async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const maker = /\.new-(\d+)-/.exec(name)?.[1]
    if (!maker || !isGone(Number(maker))) continue
    // an orphaned initdb may still write there: then the next start removes it
    await rm(join(home, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** In a container every run may have the same process id: one's own is then that of an earlier run. */
function isGone(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}

/** The generated password of the superuser, kept in the data folder for its owner alone (Windows, where a port is open). */
export function passwordFile(dir: string): string {
  const file = join(dir, 'password')
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw folderError(error, dir)
  }
  return file
}

/**
 * The folder of the unix socket, which only the server's account and root may enter. In the data folder where its path
 * is short enough, else under the temporary folder by a name that follows from the data folder. Anybody may make a folder
 * of that name first, so one that is not ours alone is refused.
 */
export async function socketFolder({ home, account }: Place): Promise<string> {
  const inside = join(home, 'run')
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  const temporary = account && !canReach(tmpdir(), account) ? '/tmp' : tmpdir()
  const folder = isShort(inside) ? inside : join(temporary, `platenote-${name}`)
  if (!isShort(folder))
    throw new EmbeddedError(`The path ${temporary} is too long for a unix socket; set TMPDIR to a shorter one.`)
  try {
    await mkdir(folder, { mode: 0o700 })
    if (account) await chown(folder, account.uid, account.gid)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw folderError(error, dirname(folder))
  }
  // root died between making the folder and giving it away
  if (account && (await lstat(folder)).uid === 0) await chown(folder, account.uid, account.gid)
  refuseUnlessPrivate(folder, account)
  return folder
}

const isShort = (folder: string) => Buffer.byteLength(join(folder, '.s.PGSQL.65535')) <= SOCKET_PATH_BYTES

/** Refuses a socket folder that is not a real folder (no link) of the server's account, or that others may enter. */
export function refuseUnlessPrivate(folder: string, account: Account | undefined): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false })
  const own = entry?.isDirectory() && entry.uid === (account?.uid ?? process.getuid?.()) && (entry.mode & 0o077) === 0
  if (!own)
    throw new EmbeddedError(
      `${folder}, where PostgreSQL listens, is not a folder of its account alone; remove it and start again.`,
    )
}

/** The line of a program's output that says why it failed. */
export function reason(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  // clients that come meanwhile are turned away with a FATAL of their own, which explains nothing
  const line =
    lines.findLast((text) => /FATAL|PANIC|error:/.test(text) && !/FATAL:\s+the database system is /.test(text)) ??
    lines.at(-1) ??
    'no message'
  return line.replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}
