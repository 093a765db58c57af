import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from './cli-error.mjs'
import { withLock } from './lock.mjs'
import { runQuietly } from './process.mjs'
import { root } from './root.mjs'
import { ensureTexts } from './texts.mjs'

const stampFile = (folder) => join(folder, 'node_modules/.platenote-installed')
const minNodeMajor = 20

/** Installs the packages of the lock file and compiles the texts unless they are there. Takes a few milliseconds when they are. */
export async function ensureInstalled() {
  assertNodeVersion()
  await ensureInstalledIn(root, 'Installing packages (first start, or they have changed)')
  await ensureTexts()
}

/**
 * The same for an operator's command. A server may be running from the packages, which npm deletes before it installs: where there
 * are any, nothing is installed, and those for development alone are not missed.
 */
export async function ensureInstalledForCommand() {
  assertNodeVersion()
  if (read(stampFile(root)) === expectedStamp(root) || matchesLockfile(root, { withDev: false })) return ensureTexts()
  if (!existsSync(join(root, 'node_modules'))) return ensureInstalled()
  throw new CliError(
    'the packages are not those of package-lock.json. Installing would take them away from a server that runs here: stop it, run npm ci (--omit=dev is enough in production), start it, and run this again.',
  )
}

function assertNodeVersion() {
  if (Number.parseInt(process.versions.node, 10) < minNodeMajor) {
    throw new CliError(`Node ${minNodeMajor} or newer is needed; this is Node ${process.versions.node}.`)
  }
}

/** Installs in a folder with its own lock file, whose packages only one command needs. */
export async function ensureInstalledIn(folder, label) {
  if (isInstalled(folder)) return
  const wait = (pid) => process.stderr.write(`Waiting for process ${pid}, which is installing the packages…\n`)
  await withInstallLock(wait, async () => {
    if (isInstalled(folder)) return
    await install(folder, label)
    writeFileSync(stampFile(folder), expectedStamp(folder))
  })
}

async function withInstallLock(wait, work) {
  try {
    await withLock(join(root, '.install.lock'), wait, work)
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error
    throw new CliError(`this folder cannot be written (${error.path}); the packages have to be installed into it.`)
  }
}

async function install(folder, label) {
  // Node 20 prints warnings about packages that want a newer Node; they run on ours, so output is shown on failure only.
  // NODE_ENV=production or an npm setting must not omit what builds the web app, or the optional Node itself.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  // Without a network this fails after about 15 seconds; npm's defaults take more than a minute.
  flags.push('--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000')
  const npmCli = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined
  const [program, ...rest] = npmCli ? [process.execPath, npmCli] : ['npm']
  await runQuietly(label, program, [...rest, 'ci', ...flags], {
    cwd: folder,
    shell: !npmCli && process.platform === 'win32',
    // An interrupted npm takes long to clean up, for nothing: the next installation starts with an empty folder.
    killAfterMs: 1_000,
    explain: explainFailure,
  })
}

function explainFailure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/.test(output)) {
    return 'the packages could not be downloaded: the npm registry cannot be reached. Check the network (or the proxy set for npm) and run the command again.'
  }
  if (/ENOSPC/.test(output)) return 'the disk is full: the packages could not be installed.'
  if (/EACCES|EPERM|EROFS/.test(output))
    return 'this folder cannot be written; the packages have to be installed into it.'
  return 'the packages could not be installed (npm ci failed; its last lines are above).'
}

function isInstalled(folder) {
  const stamp = read(stampFile(folder))
  if (stamp !== undefined) return stamp === expectedStamp(folder)
  if (!matchesLockfile(folder)) return false
  try {
    writeFileSync(stampFile(folder), expectedStamp(folder))
  } catch {
    // a read-only folder that somebody else installed: it is checked in full again next time
  }
  return true
}

/** Returns a stamp that depends on the required packages and the platform, not on the rest of package.json. */
function expectedStamp(folder) {
  const { dependencies, devDependencies, optionalDependencies, overrides } = readJson(folder, 'package.json')
  const hash = createHash('sha256')
  hash.update(JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]))
  hash.update(readFileSync(join(folder, 'package-lock.json')))
  return `${process.platform}-${process.arch} ${hash.digest('hex')}\n`
}

/** Returns whether somebody ran `npm ci` by hand: npm writes this list last, so an interrupted installation has none. */
function matchesLockfile(folder, { withDev } = { withDev: true }) {
  const list = read(join(folder, 'node_modules/.package-lock.json'))
  if (list === undefined) return false
  const there = JSON.parse(list).packages
  const wanted = Object.entries(readJson(folder, 'package-lock.json').packages)
  return wanted.every(([path, entry]) => {
    const mayBeAbsent = entry.optional || (!withDev && (entry.dev || entry.devOptional))
    if (path === '' || mayBeAbsent) return !there[path] || there[path].version === entry.version
    return there[path]?.version === entry.version && there[path].integrity === entry.integrity
  })
}

const readJson = (folder, file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
