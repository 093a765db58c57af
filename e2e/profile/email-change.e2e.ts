import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { codeField, logIn } from '../support/page-objects.ts'
import { codeAfter, newEmail, PASSWORD } from '../support/people.ts'
import type { Product } from '../support/product.ts'

// The address of an account, changed and given back through the screens and the mailboxes (decision email-change).

/** Resolves with the newest link of an action in the emails to an address, as a path of this site. */
async function linkTo(product: Product, email: string, action: 'confirm' | 'undo'): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const mails = await product.inbox.to(email, 1)
      const texts = mails.map(({ parsed }) => parsed.text ?? '').toReversed()
      link = texts.flatMap(
        (text) => text.match(new RegExp(`/(?:fr/)?account-link#do=${action}&token=[\\w-]+`)) ?? [],
      )[0]
      return link
    })
    .toBeTruthy()
  return link!
}

const section = (page: Page) => page.getByRole('region', { name: 'Your details' })

async function ask(page: Page, email: string) {
  await page.goto('/dashboard/profile')
  await section(page).getByRole('button', { name: 'Change email address' }).click()
  await section(page).getByLabel('New email address').fill(email)
  await section(page).getByRole('button', { name: 'Send both emails' }).click()
}

/** Opens a link as from a mailbox, in another tab, and presses its button. */
async function follow(visit: (input: { at: string }) => Promise<Page>, link: string, button: string): Promise<Page> {
  const page = await visit({ at: link })
  await page.getByRole('button', { name: button }).click()
  return page
}

test('a change is confirmed from both mailboxes, and undone', async ({ person, visit, product, pageGuard, audit }) => {
  pageGuard.allow(/^40[0134] /)
  const someone = await person()
  const email = newEmail()
  const page = await visit({ as: someone })
  await someone.ageSessions()
  await ask(page, 'nobody')
  await expect(section(page).getByLabel('New email address')).toHaveAttribute('aria-invalid', 'true')
  await audit(page, 'no new address')
  await section(page).getByLabel('New email address').fill(email)
  await section(page).getByRole('button', { name: 'Send both emails' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(section(page).getByText('Not confirmed yet')).toHaveCount(2)
  await expect(section(page).getByText(email)).toBeVisible()
  await audit(page, 'a change waits')

  const first = await follow(visit, await linkTo(product, email, 'confirm'), 'Confirm the change')
  await expect(first.getByRole('heading', { name: 'One mailbox is still missing' })).toBeVisible()
  await page.goto('/dashboard/profile')
  await expect(section(page).getByText('Confirmed', { exact: true })).toBeVisible()
  const second = await follow(visit, await linkTo(product, someone.email, 'confirm'), 'Confirm the change')
  await expect(second.getByRole('heading', { name: 'Your address is changed' })).toBeVisible()

  await second.getByRole('main').getByRole('link', { name: 'Log In' }).click()
  await logIn(second, email)
  await expect(second).toHaveURL(/\/dashboard$/)

  const third = await follow(visit, await linkTo(product, someone.email, 'undo'), 'This wasn’t me: undo it')
  await expect(third.getByRole('heading', { name: 'You have your account back' })).toBeVisible()
  // the session that began with the new address has ended
  await second.goto('/dashboard/profile')
  await expect(second).toHaveURL(/\/login/)
  await logIn(second, someone.email)
  await expect(second.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible()
})

test('whose emails come back reads so first, and ends it with a code that arrives', async ({
  person,
  visit,
  product,
  audit,
}) => {
  const someone = await person()
  await product.db`insert into unreachable_addresses (user_id, reason) values (${someone.id}, 'gone')`
  const page = await visit({ as: someone, at: '/dashboard' })
  const notice = page.getByRole('region', { name: `Emails to ${someone.email} come back.` })
  await expect(notice).toBeVisible()
  await audit(page, 'emails come back')
  const code = await codeAfter(product, someone.email, () =>
    notice.getByRole('button', { name: 'Check the address' }).click(),
  )
  await expect(codeField(page)).toBeFocused()
  await audit(page, 'a code was sent')
  await codeField(page).pressSequentially(code)
  await expect(page.getByText('Emails arrive again.')).toBeVisible()
  await expect(notice).toHaveCount(0)
})
