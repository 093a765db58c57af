import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CliError } from './cli-error.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { capture, runQuietly } from './process.mjs'
import { root } from './root.mjs'

const executableNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const headlessFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]
const startTimeoutMs = 30_000
const aptLockTimeoutS = 300

/**
 * The path of a Chromium that really starts, for the browser tests: the setting CHROMIUM_PATH, then one in PATH, then
 * Playwright's own. Where there is none it is installed: Debian's package when this user may, else Playwright's download.
 */
export async function ensureBrowser() {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (await canStart(configured)) return configured
    throw new CliError(`CHROMIUM_PATH is ${configured}, but no browser starts from there. Correct it or leave it out.`)
  }
  const found = await findBrowser()
  if (found) return found

  for (const install of [installDebianPackage, downloadWithPlaywright]) {
    const problem = await install()
    const browser = await findBrowser()
    if (browser) return browser
    if (problem) process.stderr.write(`${problem}\n`)
  }
  throw new CliError(
    'no browser was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run npm test again.',
  )
}

async function findBrowser() {
  const inPath = executableNames.flatMap((name) =>
    (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)),
  )
  for (const candidate of [...inPath, await playwrightExecutable()]) {
    if (candidate && existsSync(candidate) && (await canStart(candidate))) return candidate
  }
}

/** A path and a version are not enough: a snap stub or a missing library shows only when a page is loaded. */
async function canStart(browser) {
  const { code, output } = await capture(browser, [...headlessFlags, '--dump-dom', 'about:blank'], {
    timeoutMs: startTimeoutMs,
  })
  return code === 0 && output.includes('<html>')
}

async function playwrightExecutable() {
  const { chromium } = await import('playwright-core')
  return chromium.executablePath()
}

/** Debian and Ubuntu, as root or with a sudo that does not ask. Returns what went wrong, or nothing. */
async function installDebianPackage() {
  if (!existsSync('/etc/debian_version')) return
  const root = process.getuid?.() === 0
  if (!root && (await capture('sudo', ['-n', 'true'])).code !== 0) return
  const apt = async (...args) => {
    const waiting = ['-o', `DPkg::Lock::Timeout=${aptLockTimeoutS}`]
    const line = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...waiting, ...args]
    const [program, ...rest] = root ? line : ['sudo', '-n', ...line]
    await runQuietly(`apt-get ${args.join(' ')}`, program, rest, { explain: () => `apt-get ${args[0]} failed.` })
  }
  try {
    await apt('update')
    await apt('install', '-y', 'chromium')
  } catch (error) {
    return error.message
  }
}

async function downloadWithPlaywright() {
  try {
    await runQuietly("Downloading Playwright's Chromium", 'playwright', ['install', 'chromium'], {
      cwd: root,
      env: childEnvironment(),
      shell: process.platform === 'win32',
      explain: () => "Playwright's download failed.",
    })
  } catch (error) {
    return error.message
  }
}
