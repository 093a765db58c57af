import type { Page } from '@playwright/test'
import { runsAll } from '../../server/src/test/runs-all.ts'
import { expect, test } from '../support/fixtures.ts'

const TEXT_PAGES = ['/', '/about-us', '/privacy', '/no-such-page']
/** `npm test` looks at one of them; `npm run test:full` at each in both widths. */
const SEEN = runsAll ? [390, 1440].map((width) => ({ width, paths: TEXT_PAGES })) : [{ width: 390, paths: ['/'] }]

/** Returns how a page looks to a visitor and to a signed-in user: tag, classes and computed styles of each kind of element. */
const computedStyles = (page: Page) =>
  page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame) // they are open in the second
    const named = new Map<string, Element>()
    for (const element of document.querySelectorAll('body, body *:not(style, script)')) {
      const name = `${element.tagName}.${element.getAttribute('class')}`
      if (!named.has(name)) named.set(name, element) // the first of those with the same tag and classes
    }
    return [false, true].flatMap((signedIn) => {
      document.documentElement.classList.toggle('signed-in', signedIn)
      return [...named].map(([name, element]) => {
        const styles = getComputedStyle(element)
        return `${name} ${[...styles].map((one) => `${one}: ${styles.getPropertyValue(one)}`).join('; ')}`
      })
    })
  })

/** Replaces the inlined styles of the page by the whole style sheet of the product. */
async function applyFullStylesheet(page: Page, sheet: string) {
  await page.evaluate((css) => {
    const inside = [...document.querySelectorAll('style')]
    if (inside.length !== 1) throw new Error(`${inside.length} style sheets inside ${location.pathname}`)
    const whole = document.createElement('style')
    whole.textContent = css
    inside[0]?.replaceWith(whole)
  }, sheet)
}

test('a page with inlined styles looks as with the whole sheet', async ({ product, visit, pageGuard }) => {
  pageGuard.allow(/404 GET \/no-such-page/)
  const login = await (await fetch(`${product.url}/login`)).text()
  const sheet = await (await fetch(product.url + /\/assets\/styles-[\w-]+\.css/.exec(login)?.[0])).text()
  // the policy allows only the page's own style, by its hash
  const page = await visit({ options: { bypassCSP: true } })
  for (const { width, paths } of SEEN) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of paths) {
      await page.goto(path)
      const inlined = await computedStyles(page)
      await applyFullStylesheet(page, sheet)
      const full = await computedStyles(page)
      expect(inlined.length).toBe(full.length)
      const other = inlined.findIndex((look, index) => look !== full[index])
      expect(inlined[other]).toBe(full[other])
    }
  }
})
