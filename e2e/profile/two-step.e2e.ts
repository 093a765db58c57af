import { currentCode } from '../../server/src/test/factors.ts'
import { addVirtualAuthenticator, setUpApp } from '../support/authenticators.ts'
import { horizontalOverflow } from '../support/axe-audit.ts'
import { expect, test } from '../support/fixtures.ts'
import { askForCode, codeField, sessionToken } from '../support/page-objects.ts'
import { codeAfter, confirmationLink, HOSTILE, PASSWORD } from '../support/people.ts'

// Two-step verification of an ordinary account, through the screens.

const SECURITY = '/dashboard/profile/security'
/** The first second step is refused until its person has entered an emailed code. */
const NEEDS_CODE = /^400 POST \/auth\/v1\/factors/
/** A page may ask for something while its session has yet to prove more: before its scripts run, or as the step is added. */
const BEFORE_SECOND_STEP = /^403 GET \/api\//

test('a passkey and an app are added, required and removed', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(BEFORE_SECOND_STEP, NEEDS_CODE)
  const someone = await person()
  const page = await visit({ as: someone })
  await addVirtualAuthenticator(page)
  await page.goto(SECURITY)
  const section = page.getByRole('region', { name: 'Two-step verification' })
  await section.getByRole('button', { name: 'Add a passkey or security key' }).click()
  const create = () => page.getByRole('button', { name: 'Create a passkey' }).click()
  // whoever knows the password alone locks nobody out
  const code = await codeAfter(product, someone.email, create)
  await codeField(page).pressSequentially(code)
  await expect(page.getByText('Two-step verification is on.')).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  // the same authenticator is not enrolled twice
  await section.getByRole('button', { name: 'Add a passkey or security key' }).click()
  await create()
  await expect(page.getByText('This device or key is already set up for your account.')).toBeVisible()
  await page.keyboard.press('Escape')
  const secret = await setUpApp(page, null)
  await expect(section.getByRole('listitem')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Recent logins' }).getByText('Second step added')).toHaveCount(2)

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await page.goto('/login?next=%2Fdashboard%2Fprofile')
  await codeField(page).pressSequentially(
    await codeAfter(product, someone.email, () => askForCode(page, someone.email)),
  )
  await expect(page).toHaveURL(/\/two-step\?next=%2Fdashboard%2Fprofile$/)
  // without the second step no page opens
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/two-step\?next=%2Fdashboard$/)
  await page.getByRole('button', { name: 'Authenticator app' }).click()
  await page.getByLabel('Code', { exact: true }).fill('12')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Please enter the six digits.')).toBeVisible()
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()

  await product.db`update auth.factors set friendly_name = ${HOSTILE} where factor_type = 'webauthn'`
  await page.goto(SECURITY)
  for (const left of [1, 0]) {
    await section.getByRole('button', { name: 'Remove' }).first().click()
    expect(await horizontalOverflow(page, 'the name of a factor')).toEqual([])
    if (left === 1)
      await expect(page.getByRole('alertdialog').getByText(HOSTILE, { exact: true })).toHaveCSS(
        'unicode-bidi',
        'isolate',
      )
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(section.getByRole('listitem')).toHaveCount(left)
  }
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('what is asked for as the second step is added is asked for again, and the page stays', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(BEFORE_SECOND_STEP, NEEDS_CODE)
  const someone = await person()
  const page = await visit({ as: someone, at: SECURITY })
  const verified = Promise.withResolvers<void>()
  const shown = Promise.withResolvers<void>()
  await page.route('**/auth/v1/factors/*/verify', async (route) => {
    const response = await route.fetch()
    verified.resolve()
    await shown.promise
    await route.fulfill({ response })
  })
  await setUpApp(page, { product, email: someone.email })
  // the server knows of the second step, and the page has its former session still
  await verified.promise
  const answers = [403, 200].map((status) =>
    page.waitForResponse((response) => response.url().endsWith('/unread-count') && response.status() === status),
  )
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await Promise.all(answers)
  shown.resolve()
  await expect(page.getByText('Two-step verification is on.')).toBeVisible()
  await page.reload()
  const section = page.getByRole('region', { name: 'Two-step verification' })
  await expect(section.getByRole('listitem')).toHaveCount(1)
})

test('an old session is asked for both steps before a deletion', async ({ person, visit, product, pageGuard }) => {
  // a deleted account has no session to end
  pageGuard.allow(/^403 POST \/(functions\/v1\/delete-user|auth\/v1\/logout)/, BEFORE_SECOND_STEP, NEEDS_CODE)
  const someone = await person()
  const page = await visit({ as: someone, at: SECURITY })
  const secret = await setUpApp(page, { product, email: someone.email })
  await expect(page.getByText('Two-step verification is on.')).toBeVisible()
  await someone.ageSessions()
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const second = page.getByRole('dialog', { name: 'Two-step verification' })
  await expect(second.getByLabel('Code', { exact: true })).toBeFocused()
  await second.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await second.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Account deleted.')).toBeVisible()
  expect(await product.db`select from auth.users where id = ${someone.id}`).toHaveLength(0)
})

test('links of emails take the second step before they sign in', async ({ person, visit, product, pageGuard }) => {
  pageGuard.allow(BEFORE_SECOND_STEP, NEEDS_CODE)
  const someone = await person()
  const setUp = await visit({ as: someone, at: SECURITY })
  const secret = await setUpApp(setUp, { product, email: someone.email })
  await expect(setUp.getByText('Two-step verification is on.')).toBeVisible()
  await setUp.close()
  const { email, id } = someone
  const recovering = await visit({ at: await someone.requestRecoveryLink(3) })
  await recovering.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await recovering.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(recovering.getByLabel('New Password')).toBeVisible()

  // also where there is no password
  await product.db`update auth.users set encrypted_password = null where id = ${id}`
  const asking = await visit({ at: '/login' })
  await askForCode(asking, email)
  const page = await visit({ at: await confirmationLink(product, email, 4) })
  await product.db`update auth.factors set last_step = null` // instead of waiting for the next code
  await page.getByRole('button', { name: `Continue as ${email}` }).click()
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  expect(await sessionToken(page)).toBe(undefined)
  await page.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible()
})
