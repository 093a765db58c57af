import { LOCALES } from '#contract/product.ts'
import { adminPages } from '../../web/pages.mjs'
import { makeAdmin } from '../admins.ts'
import { expect, test } from '../fixtures.ts'
import { PASSWORD } from '../people.ts'
import { busyAdmin } from '../scenes.ts'
import { audit, pathIn } from './audit.ts'

test.describe.configure({ mode: 'parallel' })

const USERS = '/admin/users'
const VEHICLES = '/admin/vehicles'
const DISPUTES = '/admin/disputes'
/** Two pages stand for all while they wait, and two when they fail: what is shown then is one component's. */
const WAITING = [USERS, VEHICLES]
const FAILED = ['/admin', DISPUTES]

for (const locale of LOCALES) {
  const at = pathIn(locale)

  test(`no violations on the admin screens (${locale})`, async ({ person, visit, product }) => {
    const page = await visit({ as: await busyAdmin(product, () => person({ locale })) })
    const { open, look, menu, nothing } = audit(page)
    for (const path of adminPages) await open(at(path), 'main :is(article, li, form, td)')
    await menu(at('/admin'))
    await page.goto(at(USERS))
    await page.locator('td').getByRole('button').first().click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look('account deletion')
    const press = async (name: RegExp) => page.getByRole('main').getByRole('button', { name }).first().click()
    await page.goto(at(DISPUTES))
    await press(/^(Reject|Refuser)/)
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
    await look('rejection')
    await page.goto(at(VEHICLES))
    await press(/^(Approve|Approuver)/)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look('approval')
    await page.goto(at(VEHICLES))
    await press(/^(Delete|Supprimer)/)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look('vehicle deletion')
    nothing()
  })

  test(`no violations where an admin finds nothing (${locale})`, async ({ person, visit, product, watch }) => {
    watch.allow(/^429 (GET|POST) \/(api|rest)\//)
    const admin = await makeAdmin(product, await person({ locale }))
    const page = await visit({ as: admin })
    const { open, nothing } = audit(page)
    await open(`${at(USERS)}?search=nobody-at-all`, 'main .border-dashed')
    await open(`${at(VEHICLES)}?plate=NOTHING9`, 'main .border-dashed')
    await page.route(/\/(api\/admin|rest)\//, () => undefined) // no answer comes
    for (const path of WAITING) await open(at(path), '.skeleton')
    await page.unroute(/\/(api\/admin|rest)\//)
    await page.route(/\/(api\/admin|rest)\//, (route) =>
      route.fulfill({ status: 429, json: { error: 'Busy.', code: 'too_many_requests' } }),
    )
    for (const path of FAILED) await open(at(path), 'main [role=alert]')
    nothing()
  })

  test(`no violations where an admin is refused (${locale})`, async ({ person, visit, watch }) => {
    watch.allow(/^40[03] /)
    const page = await visit({ at: at('/admin/login') })
    const { look, nothing } = audit(page)
    await page.locator('[name=email]').fill((await person()).email)
    await page.locator('[name=password]').fill(PASSWORD)
    await page.locator('main button[type=submit]').click()
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    await look('no admin')
    nothing()
  })
}
