import { expect, test } from '../support/fixtures.ts'
import { logIn } from '../support/page-objects.ts'
import { newEmail, PASSWORD, signUpLink } from '../support/people.ts'

test('a refused log-in leads to its email, or says when to try', async ({ page, person, product, pageGuard }) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/, /^429 POST \/auth\/v1\/(token|recover)/)
  const waiting = newEmail()
  await signUpLink(product, waiting)
  await page.goto('/login')
  await logIn(page, waiting)
  await expect(page.getByRole('alert')).toContainText('Your email address isn’t confirmed yet.')
  await page.getByRole('link', { name: 'Confirm your email' }).click()
  await expect(page.getByText(waiting)).toBeVisible()
  await page.getByRole('button', { name: 'Resend verification email' }).click()
  await expect(page.getByText('Verification email sent!')).toBeVisible()

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

  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  const send = page.getByRole('button', { name: 'Send reset link' })
  await send.click()
  await page.getByRole('button', { name: 'Send it again' }).click()
  // an hour's emails, sent most of an hour ago
  const mails = 5_000
  await product.db`
    with asked as (delete from rate_counters where key like 'recover-mail:%' returning key)
    insert into rate_counters (key, window_start, count, expires_at)
    select distinct key, now() - interval '1 hour', ${mails}::integer, now() + interval '1 hour' from asked`
  await send.click()
  const wait = page.getByRole('alert')
  await expect(wait).toContainText('Too many emails were requested. Check your inbox and your junk folder')
  await expect(wait).toContainText(/You can try again in (60|5\d) seconds\./)
  await expect(wait.locator('span[aria-hidden=true]')).toHaveText(/in ([1-4]\d|5[0-8]) seconds/) // counts down
  await expect(page.getByLabel('Email')).toHaveValue(email)
})

test('nothing is shown before the log-in, which leads to the page that was wanted', async ({ page, person }) => {
  // runs in the page: records the words of the frame, should they ever appear
  await page.addInitScript({
    content: `new MutationObserver(() => {
      if (document.body?.innerText.includes('My Vehicles')) sessionStorage.setItem('seen', location.pathname)
    }).observe(document, { childList: true, subtree: true })`,
  })
  for (const path of ['/dashboard/vehicles', '/send', '/fr/dashboard/messages?view=sent']) {
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

  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const id = await (await person()).sendMessage(plate, 'Your trunk is open.')
  await page.goto(`/dashboard/messages?view=received#${id}`)
  await logIn(page, owner.email)
  await expect(page).toHaveURL(new RegExp(`/dashboard/messages\\?view=received#${id}$`))
  await expect(page.getByRole('article', { name: `Message to ${plate}` })).toBeFocused()
  await page.goto(`/login?next=${encodeURIComponent('/\\example.com')}`)
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/dashboard$/)
})
