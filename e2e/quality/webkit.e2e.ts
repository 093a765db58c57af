import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureWebKit } from '../../scripts/lib/browser.mjs'
import { eventually } from '../../server/src/test/eventually.ts'
import { findFreePort } from '../../server/src/test/free-port.ts'
import { MINUTE_MS, withTimeout } from '../../server/src/time.ts'
import { expect, test } from '../support/fixtures.ts'

/**
 * Opens WebKitGTK on a screen of its own. Playwright drives only its own builds of WebKit, which Debian does not have; this one
 * understands WebDriver (W3C), of which the tests need five commands.
 *
 * @param programs the paths of WebKit's driver and of a screen that is not shown
 */
async function openWebKit({ driver, screen }: { driver: string; screen: string }) {
  const display = spawn(screen, ['-displayfd', '1', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [number] = (await withTimeout(once(display.stdout, 'data'), MINUTE_MS)) as [Buffer]
  const port = await findFreePort()
  const child = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11' },
  })
  const command = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  // it takes a moment until the driver listens
  const sessionId = await eventually(() =>
    command('POST', '/session', { capabilities: {} }).then(
      (value) => (value as { sessionId: string }).sessionId,
      () => undefined,
    ),
  )
  const session = `/session/${sessionId}`
  return {
    goto: (url: string) => command('POST', `${session}/url`, { url }),
    /** Runs a script as the body of a function, and waits for the promise it returns. */
    evaluate: (script: string) => command('POST', `${session}/execute/sync`, { script, args: [] }),
    async [Symbol.asyncDispose]() {
      await command('DELETE', session)
      child.kill()
      display.kill()
    },
  }
}

// Only npm run test:full, which may install a browser, runs these.

test('in WebKit somebody stays signed in without what scripts have stored, and the offline page comes when the server does not answer @full', async ({
  person,
  product,
}) => {
  test.setTimeout(400_000) // it may have to be installed
  await using webkit = await openWebKit(await ensureWebKit())
  const heading = () => webkit.evaluate(`return document.querySelector('h1')?.textContent`)
  const { access_token, refresh_token } = await (await person()).openSession()
  await webkit.goto(`${product.url}/about-us`)
  // as a release before the cookie left it: it moves into the cookie
  await webkit.evaluate(`localStorage.setItem('sb-auth-token', '${JSON.stringify({ access_token, refresh_token })}')`)
  await webkit.goto(`${product.url}/dashboard`)
  await expect.poll(heading).toMatch(/^Hello/)
  // what WebKit deletes when a site was not used for a week
  await webkit.evaluate('localStorage.clear(), sessionStorage.clear()')
  await webkit.goto(`${product.url}/dashboard`)
  await expect.poll(heading).toMatch(/^Hello/)
  expect(await webkit.evaluate('return document.cookie + JSON.stringify([localStorage, sessionStorage])')).not.toMatch(
    /token|[\w-]{43}/,
  )
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
