import { adminPages } from '../../../web/pages.mjs'
import { grantAdmin } from '../../support/admins.ts'
import { auditTest } from '../../support/axe-audit.ts'
import { expect, test } from '../../support/fixtures.ts'
import { PASSWORD } from '../../support/people.ts'
import { createPopulatedAdmin } from '../../support/populated-user.ts'

test.describe.configure({ mode: 'parallel' })

const USERS = '/admin/users'
const VEHICLES = '/admin/vehicles'
const INBOX = '/admin/inbox'
/** Two pages represent all others while they load, and two when they fail, because they share those components. */
const WAITING = [USERS, VEHICLES]
const FAILED = ['/admin', INBOX]

auditTest('no violations on the admin screens', 'desktop', async ({ locale, at, audit, person, visit, product }) => {
  const page = await visit({ as: await createPopulatedAdmin(product, () => person({ locale })) })
  const { checkPage, check, checkMenu } = audit(page)
  for (const path of adminPages.filter((page) => !page.endsWith('/one')))
    await checkPage(at(path), 'main :is(article, li, form, td, summary, section button)')
  await page.goto(at('/admin/system'))
  await page.locator('main summary').click()
  await check('figures of the installation')
  await checkMenu(at('/admin'))
  await page.goto(at(USERS))
  await page.locator('td').getByRole('button').first().click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check('account deletion')
  const press = async (name: RegExp) => page.getByRole('main').getByRole('button', { name }).first().click()
  await page.goto(at(`${INBOX}?kind=dispute`))
  await page.locator('a[data-item]').first().click()
  await expect(page.getByRole('article').getByRole('region').first()).toBeVisible()
  await check('a dispute')
  await press(/^(Reject|Refuser)/)
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
  await check('rejection')
  await page.goto(at(VEHICLES))
  await press(/^(Approve|Approuver)/)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check('approval')
  await page.goto(at(VEHICLES))
  await press(/^(Delete|Supprimer)/)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check('vehicle deletion')
})

auditTest(
  'no violations where people are suspended and appeal',
  'phone',
  async ({ locale, at, audit, person, visit, product, pageGuard }) => {
    pageGuard.allow(/^403 GET \/api\//)
    const [admin, owner] = [await grantAdmin(product, await person({ locale })), await person({ locale })]
    const { personId, link } = await admin.suspend(owner)
    const { pathname, hash } = new URL(link)
    const visitor = await visit()
    const publicAudit = audit(visitor)
    await publicAudit.checkPage(pathname + hash, 'main textarea')
    await visitor.getByRole('main').getByRole('textbox').fill('It was my brother.')
    await visitor.getByRole('main').locator('button[type=submit]').click()
    await expect(visitor.getByRole('status').getByRole('heading')).toBeVisible()
    await publicAudit.check('appeal sent')

    const suspended = await visit({ as: owner })
    const ownerAudit = audit(suspended)
    await ownerAudit.checkPage(at('/suspended'), 'main section form, main section button')

    const page = await visit({ as: admin })
    const { checkPage, check } = audit(page)
    await checkPage(at(`/admin/user?person=${personId}`), 'main li')
    await page.getByRole('button', { name: /^(Lift|Lever)$/ }).click()
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
    await check('lift')
    await page.goto(at(`${INBOX}?kind=appeal`))
    await page.locator('a[data-item]').first().click()
    await check('appeal')
    await page.getByRole('button', { name: /^(Read the appeal|Lire la demande)$/ }).click()
    await expect(page.getByRole('main').getByRole('textbox')).toBeVisible()
    await check('appeal opened')
    await page.getByRole('main').getByRole('textbox').fill('Both were yours.')
    await page.getByRole('button', { name: /^(Keep the decision|Maintenir la décision)$/ }).click()
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
    await check('appeal decision held')
  },
)

auditTest(
  'no violations on empty, loading and failed admin screens, and where the log-in is refused',
  'desktop',
  async ({ locale, at, audit, person, visit, product, pageGuard }) => {
    pageGuard.allow(/^429 (GET|POST) \/(api|rest)\//, /^40[03] /)
    const admin = await grantAdmin(product, await person({ locale }))
    const page = await visit({ as: admin })
    const { checkPage } = audit(page)
    await checkPage(`${at(USERS)}?search=nobody-at-all`, 'main .border-dashed')
    await checkPage(`${at(VEHICLES)}?plate=NOTHING9`, 'main .border-dashed')
    await page.route(/\/(api\/admin|rest)\//, () => undefined) // no response arrives
    for (const path of WAITING) await checkPage(at(path), '.skeleton')
    await page.unroute(/\/(api\/admin|rest)\//)
    await page.route(/\/(api\/admin|rest)\//, (route) =>
      route.fulfill({ status: 429, json: { error: 'Busy.', code: 'too_many_requests' } }),
    )
    for (const path of FAILED) await checkPage(at(path), 'main [role=alert]')

    const refused = await visit({ at: at('/admin/login') })
    const refusal = audit(refused)
    await refused.locator('[name=email]').fill((await person()).email)
    await refused.locator('[name=password]').fill(PASSWORD)
    await refused.locator('main button[type=submit]').click()
    await expect(refused.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
    await refusal.check('no admin')
  },
)
