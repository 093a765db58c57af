import { expect, test } from '../support/fixtures.ts'
import { logIn, menu } from '../support/page-objects.ts'
import { newEmail, PASSWORD } from '../support/people.ts'

test('errors of the log-in say what to do @always', async ({ page, person, product, pageGuard }) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const { email } = await person()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByText('Please enter your email address.')).toBeVisible()
  await expect(page.getByText('Please enter a password.')).toBeVisible()

  await logIn(page, email, 'Wrong-horse-7')
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')
  // nothing reveals whether an address has an account
  await logIn(page, newEmail(), 'Wrong-horse-7')
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')

  const waiting = newEmail()
  const body = JSON.stringify({ email: waiting, password: PASSWORD, data: { full_name: 'Not Yet' } })
  await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  await logIn(page, waiting)
  await expect(page.getByRole('alert')).toContainText('Your email address isn’t confirmed yet.')
  await page.getByRole('link', { name: 'Confirm your email' }).click()
  await expect(page.getByText(waiting)).toBeVisible()
  await page.getByRole('button', { name: 'Resend verification email' }).click()
  await expect(page.getByText('Verification email sent!')).toBeVisible()
  await product.inbox.to(waiting, 2)
})

test('after too many tries it says when the next one is allowed, in both languages', async ({
  page,
  person,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/, /^429 POST \/auth\/v1\/(token|recover)/)
  const { email } = await person()
  await page.goto('/login')
  await logIn(page, email, 'Wrong-horse-7')
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')
  // these tests have a thousand times the product's limits: use up the remaining tries at once
  const attempts = 10_000
  await product.db`update rate_counters set count = ${attempts} where key like 'sign-in:%'`
  await logIn(page, email)
  await expect(page.getByRole('alert')).toContainText('Too many attempts. Please wait before trying again.')
  await expect(page.getByRole('alert')).toContainText(/You can try again in 1[456] minutes\./)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
  await page.goto('/fr/login')
  await page.getByLabel('Adresse courriel').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toContainText('Trop de tentatives. Veuillez patienter avant de réessayer.')
  await expect(page.getByRole('alert')).toContainText(/Vous pourrez réessayer dans 1[456] minutes\./)

  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  const send = page.getByRole('button', { name: 'Send reset link' })
  await send.click()
  await page.getByRole('button', { name: 'Send it again' }).click()
  // an hour's emails, sent most of an hour ago
  const mails = 5_000
  await product.db`
    with asked as (delete from rate_counters where key like 'recover-mail:%' returning key)
    insert into rate_counters (key, window_start, count)
    select distinct key, now() - interval '1 hour', ${mails}::integer from asked`
  await send.click()
  const wait = page.getByRole('alert')
  await expect(wait).toContainText('Too many emails were requested. Check your inbox and your junk folder')
  await expect(wait).toContainText(/You can try again in (60|5\d) seconds\./)
  await expect(wait.locator('span[aria-hidden=true]')).toHaveText(/in ([1-4]\d|5[0-8]) seconds/) // counts down
  await expect(page.getByLabel('Email')).toHaveValue(email)
})

test('a lost connection is reported, and the next try works', async ({ page, context, person, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const { email } = await person()
  await page.goto('/login')
  await logIn(page, email, 'Wrong-horse-7') // loads the scripts that signing in needs
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  await expect(page.getByRole('alert')).toContainText('Invalid login credentials')
  await context.setOffline(true)
  await logIn(page, email)
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await context.setOffline(false)
  await logIn(page, email)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('nothing of the dashboard is shown to signed-out visitors @always', async ({ page }) => {
  const pages = ['/dashboard', '/dashboard/notifications', '/dashboard/vehicles', '/dashboard/vehicle/new', '/send']
  // runs in the page: records the words of the frame, should they ever appear
  await page.addInitScript({
    content: `new MutationObserver(() => {
      if (document.body?.innerText.includes('My Vehicles')) sessionStorage.setItem('seen', location.pathname)
    }).observe(document, { childList: true, subtree: true })`,
  })
  for (const path of [...pages, '/fr/dashboard/messages?view=sent']) {
    await page.goto(path)
    const [prefix, rest] = path.startsWith('/fr') ? ['/fr', path.slice('/fr'.length)] : ['', path]
    await expect(page).toHaveURL(new RegExp(`${prefix}/login\\?next=${encodeURIComponent(rest)}$`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(`sessionStorage.getItem('seen')`)).toBeNull()
  }

  // Back leads to the page before, not into the protected page again
  await page.goto('/forgot-password')
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
})

test('after logging in people land on the page they wanted, and never on another site', async ({ person, visit }) => {
  const owner = await person()
  const sender = await person()
  const { plate } = await owner.registerVehicle()
  const id = await sender.sendMessage(plate, 'Your trunk is open.')

  const page = await visit({ at: `/dashboard/messages?view=received#${id}` })
  await expect(page).toHaveURL(/\/login\?next=/)
  await logIn(page, owner.email)
  await expect(page).toHaveURL(new RegExp(`/dashboard/messages\\?view=received#${id}$`))
  await expect(page.getByRole('article', { name: `Message to ${plate}` })).toBeFocused()

  for (const next of ['https://example.com/', '//example.com/', '/\\example.com', 'javascript:alert(1)']) {
    const lured = await visit({ at: `/login?next=${encodeURIComponent(next)}` })
    await logIn(lured, owner.email)
    await expect(lured).toHaveURL(/^http:\/\/localhost:\d+\/dashboard$/)
  }
})

test('signing out takes effect in every tab and leaves nothing behind', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^401 GET \/api\//) // what the other tab was asking for at that moment
  const page = await visit({ as: await person(), at: '/dashboard' })
  const tab = await page.context().newPage()
  await tab.goto('/dashboard/vehicles')
  await expect(tab.getByRole('heading', { name: 'My Vehicles' })).toBeVisible()

  await page.goto('/send')
  await page.getByLabel('License Plate').fill('SECRET1')
  await menu(page).open()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(tab).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicles$/)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible()
  expect(await page.evaluate(`JSON.stringify({ ...localStorage, ...sessionStorage })`)).not.toMatch(/token|SECRET1/)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?next=/)
})
