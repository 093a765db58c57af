/*
 * Measures how soon a phone on slow 4G, with a processor four times slower than this one, can use the way from /login by an emailed
 * code to a sent message: from the address typed or the tap to the first frame in which the next thing to touch answers.
 *
 * npm run bench -- slow-phone [--rounds=5 --latency=150]
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { paths } from '../contract/src/paths.ts'
import { emailedCode, newPerson } from '../e2e/support/people.ts'
import { startProduct } from '../e2e/support/product.ts'
import playwrightConfig from '../playwright.config.ts'
import { ensureBrowser } from '../scripts/lib/browser.mjs'
import { ensureBuilt } from '../scripts/lib/web-build.mjs'
import { aim, quantile, recordFigures } from './figures.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, latency: { type: 'string', default: '150' } },
})
const ROUNDS = Number(values.rounds)
const LATENCY_MS = Number(values.latency)
const MAX_PAGE_MS = 2_500
const MAX_STEP_MS = 1_000
const CPU_SLOWDOWN = 4
const BITS = 8
/** Slow 4G as Lighthouse has it; its own throttling in a browser waits 562.5 ms for each request instead. */
const SLOW_4G = {
  offline: false,
  latency: LATENCY_MS,
  downloadThroughput: 1_600_000 / BITS,
  uploadThroughput: 750_000 / BITS,
}
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, serviceWorkers: 'block' }

// what is waited for, or pressed: a selector in the main part of the page, and the text of the element
const EMAIL_CODE = ['button', 'Email me a code']
const CODE = ['input[name=code]', '']
const TO_SEND = [`a[href="${paths.send()}"]`, '']
const MESSAGE = ['textarea', '']
const SEND = ['button', 'Send Message']
const SENT = ['h1, h2', 'Message sent']

const locate = (page, [selector, hasText]) => page.getByRole('main').locator(selector, { hasText }).first()

/** In the page: returns the time once React answers for a visible element, in a frame; otherwise a falsy value. */
const readUsable = ([selector, text]) =>
  [...document.querySelectorAll(`main :is(${selector})`)].some(
    (element) =>
      element.checkVisibility() &&
      element.textContent.includes(text) &&
      Object.keys(element).some((key) => key.startsWith('__reactProps$')),
  ) && performance.timeOrigin + performance.now()

/** Returns after how many milliseconds an element is usable that something leads to. */
async function timeUntil(page, target, act) {
  const startedAt = await act()
  const usable = await page.waitForFunction(readUsable, target, { polling: 'raf' })
  return (await usable.jsonValue()) - startedAt
}

const now = (page) => page.evaluate(() => performance.timeOrigin + performance.now())
const open = (page, url) => async () => {
  const startedAt = Date.now()
  await page.goto(url, { waitUntil: 'commit' })
  return startedAt
}
/** Presses in the page, so that the tool's own way there is not counted. */
const press = (page, target) => () =>
  locate(page, target).evaluate((element) => {
    const startedAt = performance.timeOrigin + performance.now()
    element.click()
    return startedAt
  })
/** Types the last of the digits, from when time is taken. */
const typeCode = (page, code) => async () => {
  await locate(page, CODE).pressSequentially(code.slice(0, -1))
  const startedAt = await now(page)
  await locate(page, CODE).pressSequentially(code.slice(-1))
  return startedAt
}

await ensureBuilt()
const browser = await chromium.launch({
  executablePath: await ensureBrowser(),
  args: playwrightConfig.use.launchOptions.args,
})
const product = await startProduct()

/** Opens a slow phone; signed in as somebody, or with what is stored. */
async function openPhone(storageState, isSlow = true) {
  const context = await browser.newContext({ ...PHONE, storageState, baseURL: product.url })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  if (isSlow) {
    await session.send('Network.emulateNetworkConditions', SLOW_4G)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  }
  return page
}

/** Goes the whole way once. Returns the milliseconds of each part, by its name. */
async function walk({ owner, plate, sender, mails }, isSlow) {
  const times = {}
  const page = await openPhone(undefined, isSlow)
  times['/login'] = await timeUntil(page, EMAIL_CODE, open(page, paths.login()))
  await page.locator('main input[name=email]').fill(sender.email)
  times['Email me a code → its field'] = await timeUntil(page, CODE, press(page, EMAIL_CODE))
  const code = await emailedCode(product, sender.email, mails)
  times['sixth digit → the dashboard'] = await timeUntil(page, TO_SEND, typeCode(page, code))
  times['Send Message → /send'] = await timeUntil(page, MESSAGE, press(page, TO_SEND))
  await page.getByLabel('License Plate').fill(plate)
  await locate(page, MESSAGE).fill('Your lights are on')
  times['Send Message → sent'] = await timeUntil(page, SENT, press(page, SEND))
  await page.context().close()

  const inbox = await openPhone(
    { cookies: [], origins: [{ origin: product.url, localStorage: [{ name: 'signupEmail', value: owner.email }] }] },
    isSlow,
  )
  times['/verify-email'] = await timeUntil(inbox, CODE, open(inbox, paths.verifyEmail()))
  await inbox.context().close()

  const signedIn = await openPhone(await sender.storageState(), isSlow)
  times['/send'] = await timeUntil(signedIn, MESSAGE, open(signedIn, paths.send()))
  await signedIn.context().close()
  return times
}

try {
  const startedAt = performance.now()
  const [owner, sender] = [await newPerson(product), await newPerson(product)]
  const { plate } = await owner.registerVehicle()
  const people = { owner, sender, plate }
  await walk({ ...people, mails: 2 }, false) // the server compresses a page at its first request
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await walk({ ...people, mails: 3 + round }, true))
  const figures = Object.keys(rounds[0]).map((name) => {
    const times = rounds.map((round) => round[name])
    const max = name.startsWith('/') ? MAX_PAGE_MS : MAX_STEP_MS
    const middle = Math.round(quantile(times))
    const ratio = (middle / max).toFixed(2)
    const value = `${middle} ms (${Math.round(quantile(times, 0))}–${Math.round(quantile(times, 1))})`
    return aim(`${name}, median`, value, `${ratio} of ${max / 1000} s`, middle <= max)
  })
  recordFigures({
    title: 'A slow phone',
    description: `The built product, in a browser of 390 px with ${LATENCY_MS} ms for each request, 1.6 Mbit/s down, 750 kbit/s up, a processor slowed down ${CPU_SLOWDOWN} times and nothing cached. The time the email takes is not counted.`,
    command: `npm run bench -- slow-phone --rounds=${ROUNDS} --latency=${LATENCY_MS}`,
    rounds: ROUNDS,
    startedAt,
    figures,
  })
} finally {
  await browser.close()
  await product.stop()
}
