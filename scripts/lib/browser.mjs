import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { environment } from './node26.mjs'
import { collect, runQuietly } from './process.mjs'
import { root } from './root.mjs'
import { Stop } from './stop.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const headless = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
const startWithinMs = 30_000
const anotherAptWaitsSeconds = 300

/**
 * The path of a Chromium that really starts, for the browser journeys: the setting CHROMIUM_PATH, then one in PATH, then
 * Playwright's own. Where there is none it is installed: Debian's package when this user may, else Playwright's download.
 */
export async function ensureBrowser() {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (await starts(configured)) return configured
    throw new Stop(`CHROMIUM_PATH is ${configured}, but no browser starts from there. Correct it or leave it out.`)
  }
  const found = await firstThatStarts()
  if (found) return found

  for (const install of [installDebianPackage, downloadWithPlaywright]) {
    const problem = await install()
    const browser = await firstThatStarts()
    if (browser) return browser
    if (problem) process.stderr.write(`${problem}\n`)
  }
  throw new Stop(
    'no browser was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run npm test again.',
  )
}

async function firstThatStarts() {
  const inPath = names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  for (const candidate of [...inPath, await playwrightsOwn()]) {
    if (candidate && existsSync(candidate) && (await starts(candidate))) return candidate
  }
}

/** A path and a version are not enough: a snap stub or a missing library shows only when a page is loaded. */
async function starts(browser) {
  const { code, output } = await collect(browser, [...headless, '--dump-dom', 'about:blank'], {
    timeoutMs: startWithinMs,
  })
  return code === 0 && output.includes('<html>')
}

async function playwrightsOwn() {
  const { chromium } = await import('playwright-core')
  return chromium.executablePath()
}

/** Debian and Ubuntu, as root or with a sudo that does not ask. Returns what went wrong, or nothing. */
async function installDebianPackage() {
  if (!existsSync('/etc/debian_version')) return
  const root = process.getuid?.() === 0
  if (!root && (await collect('sudo', ['-n', 'true'])).code !== 0) return
  const apt = async (...args) => {
    const waiting = ['-o', `DPkg::Lock::Timeout=${anotherAptWaitsSeconds}`]
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
      env: environment(),
      shell: process.platform === 'win32',
      explain: () => "Playwright's download failed.",
    })
  } catch (error) {
    return error.message
  }
}
