import { expect, inFullBrowser, test } from '../support/fixtures.ts'
import { menu, recordRequests, rememberLanguage, sendForm } from '../support/page-objects.ts'
import { serviceWorkerReady } from '../support/push.ts'

test.use(inFullBrowser) // the headless shell installs no app

test('while the server is away pages say so and lose nothing, and go on when it is back; the installed app has its offline page', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(
    /net::ERR_(CONNECTION_|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED|FAILED)/,
    /Failed to fetch dynamically imported module/,
    /Error loading route module/,
  )
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  const page = await visit({ as: owner })
  await page.clock.install()
  await page.goto('/dashboard')
  await sender.sendMessage(plate, 'Before the crash')
  await expect(entry('Before the crash')).toBeVisible()

  const writing = await visit({ as: sender, at: '/send' })
  const form = sendForm(writing)
  await form.fill('ABCD 123', 'Your tire is flat.')
  const loads = recordRequests(writing, /^GET \/dashboard\/vehicles$/)
  const vehicles = writing.getByRole('link', { name: 'My Vehicles' }).first()

  const [login, tag] = [await visit({ at: '/login' }), await visit({ at: '/t' })]
  await login.getByRole('textbox', { name: 'Email' }).fill('robin@example.com')
  await tag.getByRole('textbox').last().fill('123')
  // what a page loads once it is idle, so that it has it when the server is gone
  await login.waitForFunction(
    `performance.getEntriesByType('resource').some(({ name }) => name.includes('/missing-code'))`,
  )

  const app = await visit({ as: await person(), at: '/dashboard', options: { serviceWorkers: 'allow' } })
  await serviceWorkerReady(app)
  const session = await app.context().newCDPSession(app)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // these tests run in a private window, which installs nothing
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  for (const [path, language, start] of [
    ['/fr/about-us', 'fr-CA', '/fr/dashboard'],
    ['/dashboard', 'en-CA', '/dashboard'],
  ] as const) {
    await app.goto(path)
    await expect(app.getByRole('heading', { level: 1 })).toBeVisible()
    const { errors, data } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { id, lang, start_url, scope, description } = JSON.parse(data ?? '') as Record<string, string>
    expect([id, lang, start_url, scope]).toEqual(['/', language, start, '/']) // one app, whatever its language
    expect(description).toMatch(language === 'fr-CA' ? /^Joignez le propriétaire/ : /^Reach the owner/)
  }

  await product.kill() // a browser whose network is switched off does not try, and so fails in other ways
  await vehicles.click()
  await expect(writing.getByText('No connection to PlateNote.')).toBeVisible()
  await expect(form.message).toHaveValue('Your tire is flat.')
  await login.getByRole('banner').getByRole('link').first().click()
  await expect(login.getByText('No connection to PlateNote.')).toBeVisible()
  await expect(login).toHaveURL(/\/login$/)
  await expect(login.getByRole('textbox', { name: 'Email' })).toHaveValue('robin@example.com')
  await tag.getByRole('combobox').selectOption('es')
  await expect(tag.getByText('No connection. Please try again.')).toBeVisible()
  await expect(tag.getByRole('combobox')).toHaveValue('en')
  await expect(tag.getByRole('textbox').last()).toHaveValue('123')
  for (const [path, title] of [
    ['/dashboard/vehicles', 'You’re offline'],
    ['/fr/dashboard/vehicles', 'Vous êtes hors ligne'],
  ] as const) {
    await app.goto(path)
    await expect(app.getByRole('heading', { level: 1 })).toHaveText(title)
  }
  await rememberLanguage(app, 'fr-CA')
  await page.clock.fastForward(11_000) // a shorter interruption is not shown
  await expect(page.getByText('Reconnecting…')).toBeVisible()

  await product.start()
  await sender.sendMessage(plate, 'After the crash')
  await page.clock.fastForward(30_000) // the longest time between two tries
  await expect(entry('After the crash')).toBeVisible()
  await expect(entry('Before the crash')).toBeVisible()
  await expect(page.getByText('Reconnecting…')).toHaveCount(0)
  await expect(menu(page).link('Notifications')).toContainText('2 unread notifications')
  await sender.sendMessage(plate, 'Live again')
  await expect(entry('Live again')).toBeVisible()
  await page.goto('/dashboard/vehicles')
  await expect(page.getByRole('img', { name: `Licence plate ${plate}, Ontario` })).toBeVisible()

  await vehicles.click()
  await expect(writing.getByRole('heading', { level: 1, name: 'My Vehicles' })).toBeVisible()
  expect(loads.length).toBeLessThanOrEqual(1)
  await writing.goBack()
  await expect(form.message).toHaveValue('Your tire is flat.')

  await app.getByRole('link', { name: 'Réessayer' }).click()
  await expect(app).toHaveURL(/\/fr\/dashboard\/vehicles$/)
  await expect(app.getByRole('heading', { level: 1 })).not.toHaveText('Vous êtes hors ligne')
  // nothing personal is cached, only files of the build and the two pages
  const cachedPaths = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((c) => c.keys()))))
    .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`
  const paths = (await app.evaluate(cachedPaths)) as string[]
  expect(paths.filter((path) => !/^\/assets\/|^(\/fr)?\/offline$/.test(path))).toEqual([])
  expect(paths).toContain('/offline')
})
