import { expect, test } from '../support/fixtures.ts'
import { signUp } from '../support/page-objects.ts'
import { confirmationLink, newEmail, PASSWORD, signUpLink } from '../support/people.ts'

test('the sign-up helps with the password, and keeps what was typed', async ({ page, context, pageGuard }) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  await page.goto('/signup')
  const field = page.getByLabel('Password', { exact: true })
  await expect(field).toHaveAccessibleDescription(/8\+ characters \(needed\)/)
  await field.pressSequentially('abcD1')
  await expect(page.getByText('3 of 5 password requirements met')).toBeAttached()
  const requirements =
    /8\+ characters \(needed\) lowercase letter \(met\) uppercase letter \(met\) number \(met\) symbol \(needed\)/
  await expect(field).toHaveAccessibleDescription(requirements)
  await field.pressSequentially('_xyz')
  await expect(page.getByText('5 of 5 password requirements met')).toBeAttached()

  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).first().click()
  await expect(field).toHaveAttribute('type', 'text')
  await expect(page.getByRole('button', { name: 'Show password', pressed: true })).toHaveCount(1)

  // what password managers rely on
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'email')
  const confirmation = page.getByLabel('Confirm Password')
  for (const one of [field, confirmation]) await expect(one).toHaveAttribute('autocomplete', 'new-password')
  await expect(field).toHaveAttribute(
    'passwordrules',
    /^minlength: 8; maxlength: 512; required: lower; required: upper;/,
  )
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('${PASSWORD}')`)
  await confirmation.focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(confirmation).toHaveValue(PASSWORD)

  for (const [name, path] of [
    ['terms and conditions', '/terms-and-conditions'],
    ['privacy policy', '/privacy'],
  ] as const) {
    const link = page.getByRole('checkbox').locator('xpath=..').getByRole('link', { name })
    await expect(link).toHaveAccessibleDescription('Opens in a new tab')
    const opened = page.waitForEvent('popup')
    await link.click()
    const beside = await opened
    await expect(beside).toHaveURL(new RegExp(`${path}$`))
    await expect(beside.getByRole('heading', { level: 1 })).toHaveText(new RegExp(name, 'i'))
    await beside.close()
  }
  await expect(confirmation).toHaveValue(PASSWORD)
  await expect(page.getByRole('checkbox')).not.toBeChecked()

  // losing the connection keeps the input
  await page.getByLabel('Full Name').fill('Robin Tester')
  await page.getByLabel('Email').fill(newEmail())
  await field.fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.context().setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('alert')).toContainText('No connection to PlateNote.')
  await expect(confirmation).toHaveValue(PASSWORD)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Full Name')).toHaveValue('Robin Tester')
})

test('a link followed on another device asks there whose the password is, survives a lost connection, and the page that waits goes on', async ({
  page,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/, /net::ERR_FAILED/)
  // with an international domain, which the server knows in its ASCII form: people read what they typed
  const email = newEmail().replace('example.com', 'exämple.com')
  await page.goto('/signup')
  await signUp(page, email)
  await expect(page.getByText(email)).toBeVisible()
  const elsewhere = await visit()
  const press = (name: string | RegExp) => elsewhere.getByRole('button', { name }).click()
  const withoutConnection = async (act: () => Promise<unknown>) => {
    await elsewhere.route('**/auth/v1/user', (route) => route.abort())
    await act()
    await expect(elsewhere.getByRole('heading', { name: 'Your email isn’t confirmed yet' })).toBeVisible()
    await expect(elsewhere.getByRole('alert')).toContainText('No connection to PlateNote.')
    await expect(elsewhere).toHaveURL(/\/verify-email$/)
    await elsewhere.unroute('**/auth/v1/user')
  }
  const link = await confirmationLink(product, email)
  await withoutConnection(() => elsewhere.goto(link))
  await press('Try again')
  await expect(elsewhere.getByRole('heading', { name: `Log in as ${email}?` })).toBeVisible()
  await withoutConnection(() => press('Yes, keep my password'))
  await press('Try again')
  await press(/^Continue as /) // the password was saved already
  await expect(elsewhere).toHaveURL(/\/dashboard$/)
  await page.getByRole('button', { name: 'I’ve verified my email' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Email verified!')).toBeVisible()
})

test('somebody else’s link asks before it switches every tab', async ({ person, product, visit, pageGuard }) => {
  pageGuard.allow(/^400 POST \/auth\/v1\/token/)
  const [first, second] = [newEmail('first'), newEmail('second')]
  const here = await person({ fullName: 'Here Already' })
  for (const [email, choice, stays] of [
    [first, `Stay signed in as ${here.email}`, true],
    [second, `Continue as ${second}`, false],
  ] as const) {
    const link = await signUpLink(product, email)
    const tab = await visit({ as: here, at: '/dashboard' })
    await expect(tab.getByRole('heading', { name: 'Hello, Here' })).toBeVisible()
    const page = await tab.context().newPage()
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Switch accounts?' })).toBeVisible()
    const question = page.getByRole('main')
    await expect(question).toContainText(`You are signed in as ${here.email}. ${email} is another account.`)
    await question.getByRole('button', { name: choice }).click()
    if (!stays) await page.getByRole('button', { name: 'Yes, keep my password' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    for (const one of [page, tab])
      await expect(one.getByRole('heading', { name: stays ? 'Hello, Here' : 'Hello, Robin' })).toBeVisible()
  }
})
