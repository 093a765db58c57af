import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../server/src/test/tls-database.ts'
import { expect, test } from '../support/fixtures.ts'
import { logIn, sessionToken } from '../support/page-objects.ts'
import { newPerson } from '../support/people.ts'
import { startProduct } from '../support/product.ts'
import { forward } from '../support/slow-connection.ts'

const hello = (page: Page) => page.getByRole('heading', { name: 'Hello, Alex' })

/** Everything that a script can read of what the browser keeps for the site. */
const readAll = `Promise.all([
  indexedDB.databases(),
  caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys())))),
]).then((others) => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, others]))`

test('a session needs nothing that scripts store, and no script finds its tokens', async ({ person, visit }) => {
  const owner = await person()
  const page = await visit({ at: '/login' })
  const bodies: Promise<string>[] = []
  page.context().on('response', (response) => {
    if (response.url().includes('/auth/v1/')) bodies.push(response.text().catch(() => ''))
  })
  await logIn(page, owner.email)
  await expect(hello(page)).toBeVisible()
  // WebKit deletes it when a site was not used for a week
  await page.evaluate(`localStorage.clear(), sessionStorage.clear(), indexedDB.databases().then((all) =>
    Promise.all(all.map(({ name }) => indexedDB.deleteDatabase(name))))`)
  await page.goto('/dashboard/messages')
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  const stored = await page.evaluate(readAll)
  expect(stored).not.toContain((await sessionToken(page))!)
  expect(stored).not.toMatch(/eyJ|refresh/)
  expect(stored).toContain(owner.id) // whose session it is
  expect((await Promise.all(bodies)).filter((body) => /refresh_token/.test(body))).toEqual([])
})

test('a session of a release before moves out of the storage once, also into a language and with other tabs', async ({
  person,
  product,
  visit,
}) => {
  const owner = await person({ locale: 'fr-CA' })
  const former = await owner.openSession()
  const page = await visit({ at: '/about-us' })
  await page.evaluate(`localStorage.setItem('sb-auth-token', ${JSON.stringify(JSON.stringify(former))})`)
  const tabs = [page, await page.context().newPage()]
  const before = await product.db`select id from auth.sessions where user_id = ${owner.id} order by id`
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard')))
  for (const tab of tabs) {
    await expect(tab).toHaveURL(/\/fr\/dashboard$/)
    await expect(tab.getByRole('heading', { name: 'Bonjour, Alex' })).toBeVisible()
  }
  expect(await page.evaluate(readAll)).not.toMatch(/eyJ|refresh/)
  const token = await sessionToken(page)
  expect([token?.length, token === former.refresh_token]).toEqual([43, false])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Bonjour, Alex' })).toBeVisible()
  expect(await product.db`select id from auth.sessions where user_id = ${owner.id} order by id`).toEqual(before)
})

test('no page of another site, nor one of a subdomain, signs a visitor out or in', async ({
  playwright,
  launchOptions,
}) => {
  const product = await startProduct({ PUBLIC_URL: 'https://platenote.test', LIMIT_SCALE: '1000' })
  const tls = createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (incoming, outgoing) => {
    if (incoming.headers.host !== 'platenote.test') return outgoing.end('<!doctype html><title>Elsewhere</title>')
    return forward(incoming, outgoing, new URL(incoming.url ?? '/', product.url))
  }).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  const { port } = tls.address() as AddressInfo
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP *.test 127.0.0.1:${port}`],
  })
  try {
    const [owner, attacker] = [await newPerson(product, { byCode: true }), await newPerson(product, { byCode: true })]
    const origin = 'https://platenote.test'
    const context = await browser.newContext({
      storageState: await owner.storageState({ origin }),
      ignoreHTTPSErrors: true,
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    const dashboard = async () => {
      await page.goto(`${origin}/dashboard`)
      await expect(page.getByRole('link', { name: owner.email })).toBeVisible()
      return (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).toSorted()
    }
    const before = await dashboard()
    const { refresh_token } = await attacker.openSession()
    for (const site of ['https://shop.platenote.test', 'https://elsewhere.test']) {
      await page.goto(site)
      await page.evaluate(
        async ({ token, attackerId, own }) => {
          const set = (cookie: string) => Object.assign(document, { cookie })
          for (const name of [
            '__Host-platenote-session',
            'platenote-session',
            '__Host-platenote-account',
            'platenote-account',
          ]) {
            const value = name.endsWith('account') ? `${attackerId}.en` : token
            for (const end of ['', '; domain=platenote.test', '; domain=platenote.test; path=/auth'])
              set(`${name}=${value}; secure; samesite=none${end.includes('path') ? '' : '; path=/'}${end}`)
            set(`${name}=signed-out; secure; path=/; domain=platenote.test`)
          }
          for (const path of ['/auth/v1/session', '/auth/v1/session/end', '/auth/v1/token?grant_type=password']) {
            for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
              for (const mode of ['no-cors', 'cors'] as const)
                await fetch(own + path, {
                  ...{ method: 'POST', mode, credentials: 'include', headers: { 'content-type': type } },
                  body: JSON.stringify({ refresh_token: token }),
                }).catch(() => {})
            await new Promise((resolve) => {
              const image = new Image()
              image.onerror = image.onload = resolve
              image.src = own + path
            })
          }
          const form = document.body.appendChild(document.createElement('form'))
          Object.assign(form, { method: 'post', enctype: 'text/plain', action: `${own}/auth/v1/session/end` })
          form.innerHTML = '<input name=\'{"a":"\' value=\'"}\'>'
        },
        { token: refresh_token, attackerId: attacker.id, own: origin },
      )
      await Promise.all([page.waitForURL(`${origin}/auth/v1/session/end`), page.evaluate(`document.forms[0].submit()`)])
      await expect(page.locator('body')).toContainText('validation_failed')
      const after = await dashboard()
      expect(after.filter((one) => one.startsWith('__Host-'))).toEqual(before)
    }
    const sessions = await product.db`select from auth.sessions where user_id = ${owner.id}`
    expect(sessions).toHaveLength(1)
    await context.close()
  } finally {
    await browser.close()
    tls.close()
    tls.closeAllConnections()
    await product.stop()
  }
})
