import type { Page } from '@playwright/test'
import { paths } from '#contract/paths.ts'
import { grantAdmin } from '../../support/admins.ts'
import { auditTest } from '../../support/axe-audit.ts'
import { expect, test } from '../../support/fixtures.ts'
import { invalidImage, photo } from '../../support/image-files.ts'
import { auditTabOrder } from '../../support/tab-order.ts'

test.describe.configure({ mode: 'parallel' })

const VEHICLES = '/dashboard/vehicles'
const submit = (page: Page) => page.getByRole('main').locator('form button[type=submit]').click()
/** Runs in the page: unfolds a part of it without a press, from where Tab would go on. */
const unfold = (details: Element) => details.toggleAttribute('open', true)
/** Presses a button by its name in either language. */
const press = (page: Page, name: RegExp) => page.getByRole('main').getByRole('button', { name }).first().click()

auditTest(
  'no violations where several people drive a vehicle',
  'desktop',
  async ({ locale, at, audit, person, visit, pageGuard }) => {
    pageGuard.allow(/^404 POST \/api\/invitations\/accept/)
    const [owner, driver] = [await person({ locale }), await person({ locale })]
    const vehicle = await owner.registerVehicle()
    const drivers = await visit({ as: driver, at: at('/invite') })
    const joining = audit(drivers)
    await submit(drivers)
    await expect(drivers.locator('[name=code]')).toHaveAttribute('aria-invalid', 'true')
    await joining.check('invitation without a code')
    await drivers.locator('[name=code]').fill('ABCD-2345')
    await submit(drivers)
    await expect(drivers.getByRole('main').getByRole('alert').filter({ hasText: /\S/ }).last()).toBeVisible()
    await joining.check('refused invitation')
    await driver.joinVehicle(await owner.inviteDriver(vehicle))
    await driver.takeVehicle(vehicle)
    await drivers.goto(at(VEHICLES))
    await drivers.locator('main details').evaluate(unfold)
    await expect(drivers.getByText(driver.email)).toBeVisible()
    await joining.check('driver with the car')
    expect(await auditTabOrder(drivers, 'driver')).toEqual([])

    const page = await visit({ as: owner, at: at(VEHICLES) })
    const { check } = audit(page)
    await page.locator('main details').evaluate(unfold)
    await expect(page.getByRole('listitem').getByText(driver.email).last()).toBeVisible()
    expect(await auditTabOrder(page, 'owner')).toEqual([])
    await press(page, /^(Show a code|Afficher un code)$/)
    await expect(page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)).toBeVisible()
    await check('code on the screen')
    await press(page, /^(Link for an email|Lien pour une adresse)/)
    await submit(page)
    await expect(page.locator('[name=email]')).toHaveAttribute('aria-invalid', 'true')
    await check('link without an address')
    await press(page, /^(Remove|Retirer)/)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('removal of a driver')
    await page.goto(at(paths.vehicleWelcome(vehicle.id)))
    await expect(page.getByRole('listitem').getByText(/^(Done|Fait)$/)).toBeVisible()
    await check('after the first vehicle')
    expect(await auditTabOrder(page, 'after the first vehicle')).toEqual([])
  },
)

auditTest(
  'no violations while documents are sent and opened',
  'desktop',
  async ({ locale, at, audit, person, visit, product, pageGuard }) => {
    pageGuard.allow(/^400 POST \/api\/vehicles\/.*\/documents/)
    const [holder, challenger] = [await person(), await person({ locale })]
    const { plate } = await holder.registerVehicle()
    const { id } = await challenger.registerVehicle(plate)
    const page = await visit({ as: challenger, at: at(paths.vehicleDispute(id)) })
    const { check, checkPage } = audit(page)
    const panel = page.locator('[aria-current=step]')
    const field = panel.locator('input[type=file]:not([capture])')
    await field.setInputFiles(invalidImage(500))
    await expect(page.getByRole('main').getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    await check('a file that is refused')
    await panel.locator('summary').click()
    await field.setInputFiles(await photo(300))
    const documents = panel.getByRole('listitem').filter({ has: page.getByRole('button') })
    await expect(documents).toHaveCount(1)
    await check('a document that arrived')
    await product.db`update plate_disputes set documents_due_at = now() - interval '1 day' where plate = ${plate}`
    await page.reload()
    await documents.getByRole('button').click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('taking the last one back')
    await page.keyboard.press('Escape')
    await field.setInputFiles(await photo(400))
    await expect(panel.getByRole('heading')).toBeFocused() // the next step has opened
    await page.locator('ol summary').click()
    await check('both documents arrived')
    await checkPage(at(paths.vehicleDispute('one')), 'main .border-dashed')

    const [dispute] = await product.db`select id from plate_disputes where plate = ${plate}`
    const inbox = await visit({
      as: await grantAdmin(product, await person({ locale })),
      at: at(`/admin/inbox/dispute/${dispute!['id']}`),
    })
    const opened = audit(inbox)
    await inbox.getByRole('button', { name: /^1\s?: Photo/ }).click()
    await expect(inbox.getByRole('dialog').locator('img')).toBeVisible()
    await opened.check('an opened document')
  },
)
