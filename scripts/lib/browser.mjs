import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { CliError } from './cli-error.mjs'
import { childEnvironment } from './node-runtime.mjs'
import { capture, runQuietly } from './process.mjs'
import { root } from './root.mjs'

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell']
const firefoxNames = ['firefox-esr', 'firefox']
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
 * Returns the path of a program: what its setting names, else what is found, if need be after one of the installers, of which each
 * returns what went wrong. Throws with the advice when there is none; without one it returns undefined.
 */
async function ensure({ setting, find, starts = canStart, installers, advice }) {
  const configured = setting && process.env[setting]
  if (configured) {
    if (await starts(configured)) return configured
    throw new CliError(`${setting} is ${configured}, but no browser starts from there. Correct it or leave it out.`)
  }
  const problems = []
  for (const install of [() => undefined, ...installers]) {
    problems.push(await install())
    const found = await find()
    if (found) return found
  }
  const lines = [...problems, advice].filter(Boolean).join('\n')
  if (advice) throw new CliError(lines)
  if (lines) process.stderr.write(`${lines}\n`)
}

/**
 * Returns the path of a Chromium that really starts: the setting CHROMIUM_PATH, then one in PATH, then Playwright's own.
 * Where there is none it is installed: Debian's package when this user may, else Playwright's download.
 */
export const ensureBrowser = () =>
  ensure({
    setting: 'CHROMIUM_PATH',
    find: async () => firstThatStarts([...inPath(browserNames), await playwrightExecutable()]),
    installers: [() => installDebianPackage('chromium'), downloadWithPlaywright],
    advice:
      'no browser was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run npm test again.',
  })

/**
 * Returns the two browsers of the tests as settings: a whole Chromium, and its headless shell, which opens a page in half
 * the time because it draws no window. The shell shows no notifications and has no back-forward cache. Where there is none, or
 * only the whole browser is named, that is both.
 */
export async function ensureTestBrowsers() {
  const browser = await ensureBrowser()
  if (process.env.CHROMIUM_PATH && !process.env.CHROMIUM_SHELL_PATH)
    return { CHROMIUM_PATH: browser, CHROMIUM_SHELL_PATH: browser }
  const shell = await ensure({
    setting: 'CHROMIUM_SHELL_PATH',
    find: async () => firstThatStarts([...inPath(shellNames), ...(await playwrightShells())]),
    installers: isDebian() ? [() => installDebianPackage('chromium-headless-shell')] : [],
  })
  if (!shell)
    process.stderr.write(
      'There is no headless shell of Chromium: all tests run in the whole browser, which takes longer.\n',
    )
  return { CHROMIUM_PATH: browser, CHROMIUM_SHELL_PATH: shell ?? browser }
}

/**
 * Returns the path of a Firefox that really starts: the setting FIREFOX_PATH, then one in PATH, then Debian's package, which is
 * installed where this user may.
 */
export const ensureFirefox = () =>
  ensure({
    setting: 'FIREFOX_PATH',
    find: () => firstThatStarts(inPath(firefoxNames), canStartFirefox),
    starts: canStartFirefox,
    installers: isDebian() ? [() => installDebianPackage('firefox-esr')] : [],
    advice:
      'no Firefox was found and none could be installed. Install Firefox (on Debian: apt-get install firefox-esr), or set FIREFOX_PATH to one, and run the test again.',
  })

/** Returns the paths of the driver of WebKitGTK and of a screen it can draw on; both are installed where this user may. */
export const ensureWebKit = async () => ({
  driver: await ensureProgram('WebKitWebDriver', 'webkit2gtk-driver'),
  screen: await ensureProgram('Xvfb', 'xvfb'),
})

const ensureProgram = (name, debianPackage) =>
  ensure({
    find: () => inPath([name]).find((path) => existsSync(path)),
    installers: [() => installDebianPackage(debianPackage)],
    advice: `${name} was not found and could not be installed. On Debian: apt-get install ${debianPackage}.`,
  })

/** Takes a picture of an empty page, because a snap stub or a missing library shows only then. */
async function canStartFirefox(browser) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-firefox-'))
  try {
    const picture = join(folder, 'empty.png')
    const flags = ['--headless', '--no-remote', '--profile', folder, '--screenshot', picture, 'about:blank']
    await capture(browser, flags, { timeoutMs: startTimeoutMs })
    return existsSync(picture)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const inPath = (names) =>
  names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))

async function firstThatStarts(candidates, starts = canStart) {
  for (const candidate of candidates) {
    if (candidate && existsSync(candidate) && (await starts(candidate))) return candidate
  }
}

/** Loads a page, because a snap stub or a missing library shows only then, not in a path or a version. */
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

/** Returns where Playwright may have put the shell: beside its browser, with the same revision. There is no API for its path. */
async function playwrightShells() {
  const [, folder, revision] = /^(.*)chromium-(\d+)/.exec((await playwrightExecutable()) ?? '') ?? []
  if (!folder) return []
  const shellFolder = join(folder, `chromium_headless_shell-${revision}`)
  if (!existsSync(shellFolder)) return []
  const executable = process.platform === 'win32' ? 'chrome-headless-shell.exe' : 'chrome-headless-shell'
  return readdirSync(shellFolder).map((platform) => join(shellFolder, platform, executable))
}

/** Returns whether this is Debian: Ubuntu has no package of the headless shell. */
const isDebian = () => existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))

/** Installs a package on Debian and Ubuntu, as root or with a sudo that does not ask. Returns what went wrong, if anything. */
async function installDebianPackage(name) {
  if (!existsSync('/etc/debian_version')) return
  const isRoot = process.getuid?.() === 0
  if (!isRoot && (await capture('sudo', ['-n', 'true'])).code !== 0) return
  const apt = async (...args) => {
    const waiting = ['-o', `DPkg::Lock::Timeout=${aptLockTimeoutS}`]
    const line = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...waiting, ...args]
    const [program, ...rest] = isRoot ? line : ['sudo', '-n', ...line]
    await runQuietly(`apt-get ${args.join(' ')}`, program, rest, { explain: () => `apt-get ${args[0]} failed.` })
  }
  try {
    await apt('update')
    await apt('install', '-y', name)
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
