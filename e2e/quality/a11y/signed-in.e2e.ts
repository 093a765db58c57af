import type { Page } from '@playwright/test'
import { paths } from '#contract/paths.ts'
import { auditTest } from '../../support/axe-audit.ts'
import { expect, test } from '../../support/fixtures.ts'
import { photo } from '../../support/image-files.ts'
import { emailedCode, newEmail, PASSWORD } from '../../support/people.ts'
import { createPopulatedUser } from '../../support/populated-user.ts'

test.describe.configure({ mode: 'parallel' })

const DASHBOARD = '/dashboard'
const VEHICLES = '/dashboard/vehicles'
const NOTIFICATIONS = '/dashboard/notifications'
const RECEIVED = '/dashboard/messages?view=received'
const SENT = '/dashboard/messages?view=sent'
const PROFILE = '/dashboard/profile'
const PROFILE_PARTS = ['notifications', 'security', 'data'].map((part) => `${PROFILE}/${part}`)
/** Pages that load a list before they show anything. */
const LISTS = [DASHBOARD, VEHICLES, NOTIFICATIONS, RECEIVED, SENT]
/** Two of them represent all others while they load, and two when they fail, because they share those components. */
const WAITING = [DASHBOARD, NOTIFICATIONS]
const FAILED = [RECEIVED, VEHICLES]
/** Matches what a page shows once its data is there, not only its frame. */
const CONTENT = 'main :is(article, li, form, section button)'

const submit = (page: Page) => page.getByRole('main').locator('form button[type=submit]').click()
/** Presses a button by its name in either language. */
const press = (page: Page, name: RegExp) => page.getByRole('main').getByRole('button', { name }).first().click()

auditTest('no violations on the signed-in screens', 'desktop', async ({ locale, at, audit, person, visit }) => {
  const page = await visit({ as: await createPopulatedUser(() => person({ locale })) })
  const { check, checkPage, checkMenu } = audit(page)
  for (const path of [...LISTS, '/dashboard/vehicle/new', PROFILE, ...PROFILE_PARTS, '/send'])
    await checkPage(at(path), CONTENT)
  await checkMenu(at(DASHBOARD))

  await checkMenu(at('/'))
  await page.goto(at('/'))
  const question = page.locator('#faq details').nth(2)
  await question.locator('summary').click()
  await expect(question.locator('p').first()).toBeVisible()
  await check('open question of the landing page')
})

auditTest(
  'no violations on empty screens, while lists load, and when they fail',
  'phone',
  async ({ locale, at, audit, person, visit, pageGuard }) => {
    pageGuard.allow(/^429 GET \/api\//, /^console: /, /^exception: /)
    const page = await visit({ as: await person({ locale }) })
    const { check, checkPage } = audit(page)
    await checkPage(at(DASHBOARD), 'main a[href$="/dashboard/vehicle/new"]')
    for (const path of [VEHICLES, NOTIFICATIONS, RECEIVED, SENT]) await checkPage(at(path), 'main .border-dashed')

    // a response that this release does not know leads to the error screen
    await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
    await checkPage(at(DASHBOARD), 'button')
    await page.unroute('**/api/dashboard')
    await page.route('**/api/**', () => undefined) // no response arrives
    for (const path of WAITING) await checkPage(at(path), '.skeleton')
    await page.unroute('**/api/**')
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 429, json: { error: 'Busy.', code: 'too_many_requests' } }),
    )
    for (const path of FAILED) await checkPage(at(path), 'main [role=alert] button')
    await page.context().setOffline(true)
    await expect(page.locator('output')).toHaveText(/\S/)
    await check('offline')
  },
)

auditTest(
  'no violations while quiet hours are set, the address is changed, and consent is asked for',
  'desktop',
  async ({ locale, at, audit, person, visit }) => {
    const page = await visit({ as: await person({ locale }), at: at(`${PROFILE}/notifications`) })
    const { check } = audit(page)
    const from = page.locator('[name=from]')
    const submitTimes = page.locator('form', { has: from }).locator('button[type=submit]')
    await page.locator('[name=until]').fill(await from.inputValue())
    await submitTimes.click()
    await expect(page.locator('[name=until]')).toHaveAttribute('aria-invalid', 'true')
    await check('quiet hours without an end')
    await page.locator('[name=until]').fill('06:00')
    await submitTimes.click()
    await expect(page.locator('form', { has: from }).getByRole('button')).toHaveCount(2)
    await check('quiet hours are on')

    await page.goto(at(PROFILE))
    const section = page.getByRole('region', { name: /^(Your details|Vos coordonnées)$/ })
    await section.getByRole('button', { name: /^(Change|Changer)/ }).click()
    const field = section.locator('[name=newEmail]')
    await field.fill('nobody')
    await section.getByRole('button', { name: /^(Send both emails|Envoyer les deux courriels)$/ }).click()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await check('no new address')
    await field.fill(newEmail())
    await section.getByRole('button', { name: /^(Send both emails|Envoyer les deux courriels)$/ }).click()
    await expect(section.getByRole('listitem')).toHaveCount(2)
    await check('a change waits')

    const asked = await visit({ as: await person({ locale, agreed: false }) })
    const consent = audit(asked)
    await consent.checkPage(at(DASHBOARD), 'main input[type=checkbox]')
    await submit(asked)
    await press(asked, /^(I don’t agree|Je n’accepte pas)/)
    await expect(asked.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(3)
    await consent.check('does not agree')
  },
)

auditTest(
  'no violations while a message is written',
  'desktop',
  async ({ locale, at, audit, person, visit, pageGuard }) => {
    pageGuard.allow(/^404 POST \/api\/messages/)
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const { plate } = await owner.registerVehicle()
    const page = await visit({ as: sender, at: at('/send') })
    const { check } = audit(page)
    const field = (name: string) => page.locator(`[name=${name}]`)
    const reason = (index: number) => page.locator('fieldset button').nth(index)
    await submit(page)
    await expect(field('plate')).toHaveAttribute('aria-invalid', 'true')
    await check('empty send')
    await field('plate').fill('NOBODY1')
    await field('content').fill('Hello')
    await reason(3).click() // an accident: what happened comes after the reasons
    await reason(9).click() // hit: the duties come first
    await page.locator('form select').selectOption('Quebec')
    await check('duties after a collision')
    await page.locator('form section button').click()
    await submit(page)
    await expect(field('collision-name')).toBeFocused()
    await check('card of particulars')
    await reason(10).click() // saw
    await submit(page)
    await expect(field('plate')).toBeFocused()
    await check('refused send')
    await reason(7).click() // somebody is inside: call for help first
    await expect(page.getByRole('main').locator('form button[type=submit]')).toBeHidden()
    await check('somebody inside')
    await reason(0).click()
    await field('plate').fill(plate)
    await page.locator('input[type=file]:not([capture])').setInputFiles(await photo())
    await submit(page)
    await expect(page.locator('main h1')).toBeFocused()
    await check('message sent')

    const reading = await visit({ as: owner, at: at(RECEIVED) })
    const reader = audit(reading)
    await reading.getByRole('tabpanel').getByRole('listitem').getByRole('link').click()
    await reading.locator('article form button[type=submit]').first().click() // an empty reply
    await expect(reading.locator('textarea[aria-invalid=true]')).toBeVisible()
    await reader.check('refused reply')
    await reading.locator('main article button:has(img)').click()
    await reading.keyboard.press('+')
    await expect(reading.getByRole('dialog')).toContainText('150')
    await reader.check('photo viewer')
  },
)

auditTest('no violations after a collision', 'phone', async ({ locale, at, audit, person, visit }) => {
  const [owner, driver, witness] = [await person({ locale }), await person({ locale }), await person({ locale })]
  const { plate } = await owner.registerVehicle()
  const particulars = {
    name: 'Kim Roy',
    phone: '416 555 0100',
    address: '12 Main Street',
    insurer: 'Aviva',
    plate: 'HIT001',
  }
  const hit = await driver.sendAboutCollision(plate, {
    kind: 'hit',
    province: 'Ontario',
    particulars,
    not_anonymous: true,
  })
  const saw = await witness.sendAboutCollision(plate, { kind: 'saw', witness: true })
  const page = await visit({ as: owner, at: at(RECEIVED) })
  const { check, checkPage } = audit(page)
  await expect(page.getByRole('article').getByRole('button', { name: /^(Ask for|Demander)/ })).toBeVisible()
  await check('a witness')
  await page.goto(at(paths.messages('received', hit)))
  await expect(page.getByRole('article').getByRole('link')).toBeVisible()
  await check('a card')
  await checkPage(at(paths.collisionCard(hit)), 'main dl')
  await owner.askWitness(saw)
  const asked = await visit({ as: witness, at: at(paths.messages('sent')) })
  const witnessAudit = audit(asked)
  await expect(asked.getByRole('article').getByRole('button').first()).toBeVisible()
  await witnessAudit.check('a witness who is asked')
})

auditTest(
  'no violations while messages are found and answered',
  'phone',
  async ({ locale, at, audit, person, visit, product }) => {
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const [{ plate }] = [await owner.registerVehicle(), await owner.registerVehicle()]
    const id = await sender.sendMessage(plate, 'Your lights are on')
    await sender.sendMessage(plate, 'Your window is open')
    const page = await visit({ as: owner, at: at(RECEIVED) })
    const { check, checkPage } = audit(page)
    await press(page, /^(Mark read|Marquer comme lu)$/)
    await press(page, /^(Unread|Non lu)$/)
    await expect(page.getByRole('button', { name: /^(Undo|Annuler)$/ })).toBeVisible()
    await check('unread messages, and undo')
    const search = page.getByRole('search').getByRole('textbox')
    await search.fill('x')
    await search.press('Enter')
    await expect(search).toHaveAttribute('aria-invalid', 'true')
    await check('search for too little')
    await search.fill('lights')
    await search.press('Enter')
    const found = page.getByRole('tabpanel').getByRole('listitem')
    await expect(found).toHaveCount(1)
    await check('messages found')
    await search.fill('giraffe')
    await search.press('Enter')
    await expect(found).toHaveCount(0)
    await check('no message found')
    await checkPage(at(`/dashboard/messages?view=received&answer=coming#${id}`), `[id="${id}"] .bg-pine-soft`)

    await product.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${id}`
    const waiting = await visit({ as: sender, at: at(`${SENT}#${id}`) })
    const waitingAudit = audit(waiting)
    const card = waiting.locator(`[id="${id}"]`)
    await card.locator('summary').click()
    await card.getByRole('combobox').selectOption('toronto')
    await expect(card.locator('a[href="tel:311"]')).toBeVisible()
    await waitingAudit.check('no answer, and whom to call')
  },
)

auditTest(
  'no violations while somebody blocks and reports',
  'desktop',
  async ({ locale, at, audit, person, visit }) => {
    const [owner, sender] = [await person({ locale }), await person({ locale })]
    const { plate } = await owner.registerVehicle()
    const id = await sender.sendMessage(plate, 'I know where you park.')
    const page = await visit({ as: owner, at: at(`${RECEIVED}#${id}`) })
    const { check, checkPage } = audit(page)
    await press(page, /^(More actions|Autres actions)/)
    await check('menu of a message')
    await press(page, /^(Block or report|Bloquer ou signaler)/)
    const sheet = page.getByRole('dialog')
    await sheet.locator('[value=both]').check()
    await sheet.locator('button[type=submit]').click()
    await expect(sheet.locator('[value=harassment]')).toBeFocused()
    await sheet.locator('[value=threat]').check()
    await expect(sheet.locator('a[href="tel:911"]')).toBeVisible()
    await check('report of a threat')
    await sheet.locator('button[type=submit]').click()
    await expect(sheet.getByRole('heading', { level: 3 })).toBeFocused()
    await check('blocked and reported')
    await checkPage(at(`/dashboard/message-copy?id=${id}`), 'main article')
    await page.goto(at(`${PROFILE}/data`))
    const unblock = page.getByRole('button', { name: /^(Unblock|Débloquer)/ })
    await unblock.click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('end of a block')
  },
)

auditTest(
  'no violations in errors and dialogs about vehicles and the account',
  'phone',
  async ({ locale, at, audit, person, visit }) => {
    const page = await visit({ as: await createPopulatedUser(() => person({ locale })) })
    const { check } = audit(page)
    await page.goto(at(VEHICLES))
    await press(page, /^(More|Autres) actions/)
    await check('menu of a vehicle')
    await press(page, /^(Delete|Supprimer)/)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('vehicle deletion')
    await page.goto(at('/dashboard/vehicle/new'))
    await page.locator('[name=plate]').fill('BOSS1')
    await page.locator('[name=province]').selectOption('Quebec')
    await expect(page.getByText('A12 BCD')).toBeVisible()
    await check('doubted plate')
    await page.goto(at(PROFILE))
    await page.locator('main [autocomplete=name]').fill('')
    await press(page, /^(Save|Enregistrer)$/)
    await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    await check('refused name')
    await press(page, /^(Delete my account|Supprimer mon compte)$/)
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await check('account deletion')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  },
)

auditTest(
  'no violations while an account without a password sets one, and is asked for a code',
  'phone',
  async ({ at, audit, person, product, visit, pageGuard }) => {
    pageGuard.allow(/^400 PUT \/auth\/v1\/user/, /^403 POST \/auth\/v1\/verify/)
    const someone = await person({ byCode: true })
    const page = await visit({ as: someone, at: at(`${PROFILE}/security`) })
    const { check } = audit(page)
    await press(page, /^(Set|Choisir)/)
    await submit(page)
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
    await check('no first password')
    await someone.ageSessions()
    for (const name of ['password', 'confirmation']) await page.locator(`[name=${name}]`).fill(PASSWORD)
    await submit(page)
    const dialog = page.getByRole('dialog')
    const send = dialog.locator('[name=send-code]')
    await expect(send).toBeFocused()
    await check('a code is offered')
    await send.click()
    const code = dialog.locator('[name=code]')
    await expect(code).toBeFocused()
    await check('a code is asked for')
    const right = await emailedCode(product, someone.email, 2)
    await code.fill(String((Number(right) + 1) % 1_000_000).padStart(6, '0'))
    await expect(code).toHaveAttribute('aria-invalid', 'true')
    await check('a wrong code')
  },
)
