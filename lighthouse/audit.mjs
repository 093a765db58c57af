import lighthouse from 'lighthouse'
import puppeteer from 'puppeteer-core'
import playwrightConfig from '../playwright.config.ts'
import { CliError } from '../scripts/lib/cli-error.mjs'
import { categories } from './budgets.mjs'

let browser
let cancelled = false

/**
 * Returns Lighthouse's result object of one visit with its phone, its slow network and its slow processor, simulated; in a
 * browser that was never used before.
 *
 * @param visitor the person who is signed in; nobody when left out
 */
export async function audit(url, visitor) {
  const { args } = playwrightConfig.use.launchOptions
  // signals are ours: the browser's own handlers would end this process before the product has stopped
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM_PATH, args, ...signals })
  try {
    if (cancelled) throw new CliError('the audits were ended.')
    const page = await browser.newPage()
    const cookies = visitor && (await signIn(page, url, visitor))
    const flags = { onlyCategories: categories, disableStorageReset: visitor !== undefined, logLevel: 'error' }
    const { lhr } = await lighthouse(url, { ...flags, disableFullPageScreenshot: true }, undefined, page)
    if (cookies) await signOut(url, cookies)
    return lhr
  } finally {
    await browser.close()
  }
}

/** Cancels the running audit, which rejects, and prevents further ones. */
export async function cancelAudits() {
  cancelled = true
  await browser?.close()
}

/**
 * Gives the browser a new session, from an address of its origin that loads none of the app.
 * Returns its cookies.
 */
async function signIn(page, url, visitor) {
  const { cookies, origins } = await visitor.storageState()
  await browser.setCookie(...cookies)
  await page.goto(new URL('/robots.txt', url).href)
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, origins[0].localStorage)
  return cookies
}

/** Ends the session: the profile lists sessions, and would grow with every run. */
async function signOut(url, cookies) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: new URL(url).origin, 'content-type': 'application/json' }
  const response = await fetch(new URL('/auth/v1/session/end', url), { method: 'POST', headers, body: '{}' })
  if (!response.ok) throw new Error(`signing out responded with ${response.status}`)
}
