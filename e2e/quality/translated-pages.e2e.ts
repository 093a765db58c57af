import { expect, test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'
import { logIn, sendForm, vehicleForm } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

// What people do on pages that their browser translates, or changes otherwise, once they are alive. Whatever is asked for by its
// words is what the page shows, which is the translation; in the end nothing may be shown as it was before. Where texts are merged is in
// e2e/inbox/disputes.e2e.ts.

test.describe.configure({ mode: 'parallel' })

test.describe('where texts are replaced', () => {
  test.use({ translation: 'replaced' })

  test('two people go from sign-up to the reply on translated pages @phone', async ({ person, product, visit }) => {
    await runHappyPath({ person, product, visit, plate: 'LANG 124' })
  })
})

test.describe('where texts are moved', () => {
  test.use({ translation: 'moved' })

  test('a password is refused, and messages are opened, answered and sent @phone', async ({
    person,
    visit,
    pageGuard,
  }) => {
    pageGuard.allow(/^400 POST \/auth\/v1\/token/, /^404 POST \/api\/messages/)
    const [owner, sender] = [await person(), await person()]
    const { plate } = await owner.registerVehicle()
    for (const text of ['Your lights are on.', 'Your window is open.']) await sender.sendMessage(plate, text)
    const page = await visit({ at: '/login?next=%2Fdashboard%2Fmessages' })
    await logIn(page, owner.email, 'Wrong-horse-7')
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid login credentials' })).toBeVisible()
    await logIn(page, owner.email)
    for (const text of ['window', 'lights']) {
      await page.getByRole('listitem').filter({ hasText: text }).getByRole('link').click()
      await expect(page.getByRole('article')).toContainText(text)
      await page.getByRole('link', { name: 'All messages' }).click()
    }
    await expect(page.getByRole('listitem').filter({ hasText: 'Unread' })).toHaveCount(0)
    await page.goto('/send')
    await sendForm(page).fill('NOBODY9', 'Your lights are on.')
    await sendForm(page).submit()
    await expect(page.getByText('That plate is not registered.')).toBeVisible()
  })
})

test.describe('where a script of the page replaces texts', () => {
  test.use({ translation: 'by calls' })

  test('the profile is saved; its switches, a plate on its way and the strength of a password say their state @phone', async ({
    person,
    visit,
  }) => {
    const owner = await person()
    const page = await visit({ as: owner, at: '/dashboard/profile' })
    await page.getByLabel('Full Name').fill('Maya Owner')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Profile updated')).toBeVisible()
    await page.getByRole('button', { name: 'Send password reset email' }).click()
    await expect(page.getByText(`to ${owner.email}`)).toBeVisible()
    await page.goto('/dashboard/profile/notifications')
    for (const name of [/^Email me new messages/, /^Include the message’s text/]) {
      await page.getByRole('checkbox', { name }).click()
      await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    }
    await page.goto('/dashboard/vehicle/new')
    const gate = Promise.withResolvers<void>()
    await page.route('**/register-plate', (route) => gate.promise.then(() => route.continue()))
    await vehicleForm(page).fill(newPlate())
    await vehicleForm(page).button.press('Enter')
    await expect(page.getByRole('button', { name: 'Registering…' })).toBeVisible()
    gate.resolve()
    await expect(page.getByText('Plate registered successfully.')).toBeVisible()

    const joining = await visit({ at: '/signup' })
    for (const [password, met] of [
      ['correct', 1],
      ['Correct-horse-7', 5],
    ] as const) {
      await joining.getByLabel('Password', { exact: true }).fill(password)
      await expect(joining.getByRole('status').filter({ hasText: `${met} of 5` })).toBeAttached()
      await expect(joining.getByText('(needed)')).toHaveCount(5 - met)
    }
  })
})
