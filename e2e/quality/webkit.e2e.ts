import { ensureWebKit } from '../../scripts/lib/browser.mjs'
import { expect, test } from '../support/fixtures.ts'
import { openWebKit } from '../support/webkit.ts'

// Only npm run test:full, which may install a browser, runs these.

test('in WebKit the offline page comes when the server does not answer @full', async ({ person, product }) => {
  test.setTimeout(400_000) // it may have to be installed
  await using webkit = await openWebKit(await ensureWebKit())
  const heading = () => webkit.evaluate(`return document.querySelector('h1')?.textContent`)
  const { origins } = await (await person()).storageState()
  await webkit.goto(`${product.url}/about-us`)
  await webkit.evaluate(
    `for (const { name, value } of ${JSON.stringify(origins[0]?.localStorage)}) localStorage.setItem(name, value)`,
  )
  await webkit.goto(`${product.url}/dashboard`)
  await webkit.evaluate('return navigator.serviceWorker.ready.then(() => true)')
  await webkit.goto(`${product.url}/dashboard/messages`)
  await expect.poll(heading).toBe('Messages')
  await product.kill()
  await webkit.goto(`${product.url}/dashboard/vehicles`)
  expect(await heading()).toBe('You’re offline')
  await product.start()
  await webkit.goto(`${product.url}/dashboard/vehicles`)
  await expect.poll(heading).toBe('My Vehicles')
})
