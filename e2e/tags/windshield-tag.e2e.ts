import type { Page } from '@playwright/test'
import { localizedPath, paths } from '#contract/paths.ts'
import { expect, test } from '../support/fixtures.ts'
import { readCode } from '../support/image-files.ts'
import { logIn } from '../support/page-objects.ts'
import { newPlate, UNBROKEN } from '../support/people.ts'
import { tabTo } from '../support/tab-order.ts'

test.describe.configure({ mode: 'parallel' })

const MAKE = { en: 'Make a tag', 'fr-CA': 'Créer une carte' } as const
const TAG = { en: 'Windshield tag', 'fr-CA': 'Carte de pare-brise' } as const

/** Pixels for each of CSS, 96 to the inch: 192 dots an inch, where a printer has 300 and more. */
const PRINT_SCALE = 2

/** Makes the tag of a vehicle on its page, which is left open, and returns what the paper says. */
async function makeTag(page: Page, locale: 'en' | 'fr-CA') {
  await page.getByRole('link', { name: TAG[locale] }).click()
  await page.getByRole('button', { name: MAKE[locale] }).click()
  const paper = page.locator('.tag-paper')
  const digits = (await paper.locator('strong').textContent())!
  expect(digits).toMatch(/^\d{4} \d{4}$/)
  return { paper, digits }
}

test('a guest at a vehicle asks in Punjabi, the owner answers in French, and the receipt shows it @phone', async ({
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/net::ERR_INTERNET_DISCONNECTED/)
  const owner = await person({ locale: 'fr-CA' })
  const { plate } = await owner.registerVehicle()
  const options = { deviceScaleFactor: PRINT_SCALE }
  const owners = await visit({ as: owner, at: localizedPath(paths.vehicles(), 'fr-CA'), options })
  const { paper, digits } = await makeTag(owners, 'fr-CA')
  await expect(paper).not.toContainText(plate)
  const url = await readCode(await paper.screenshot())

  const guest = await visit({ options: { locale: 'pa-IN' } })
  await guest.addInitScript('self.vibrations = []; navigator.vibrate = (ms) => vibrations.push(ms)')
  await guest.goto(new URL(url!).pathname)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('ਇਸ ਗੱਡੀ ਦੇ ਮਾਲਕ ਨਾਲ ਸੰਪਰਕ ਕਰੋ')
  const plateEnd = guest.getByLabel('ਪਲੇਟ ਦੇ ਆਖਰੀ ਤਿੰਨ ਅੱਖਰ')
  await plateEnd.fill(`${plate.slice(-3, -1).toLowerCase()}–${plate.slice(-1)}`)
  await guest.getByLabel('ਤੁਹਾਡੀ ਗੱਡੀ ਦੀਆਂ ਬੱਤੀਆਂ ਜਗ ਰਹੀਆਂ ਹਨ।').check()
  await guest.getByLabel('ਮੈਂ ਇੱਥੇ ਉਡੀਕ ਰਿਹਾ/ਰਹੀ ਹਾਂ').check()
  await guest.getByRole('button', { name: 'ਮਾਲਕ ਨੂੰ ਦੱਸੋ' }).click()
  await expect(guest).toHaveURL(/\/r#[\w-]{43}$/)
  await expect(guest.getByText('ਅਜੇ ਕੋਈ ਜਵਾਬ ਨਹੀਂ')).toBeVisible()

  await owners.goto(localizedPath(paths.messages('received'), 'fr-CA'))
  await owners.getByRole('tabpanel').getByRole('listitem').getByRole('link').click()
  const card = owners.getByRole('article')
  await expect(card).toContainText('Laissé par quelqu’un près de votre véhicule')
  await expect(card).toContainText('J’attends sur place.')
  const [message] = await owner.receivedMessages()
  await guest.context().setOffline(true)
  await expect(guest.getByRole('alert')).toBeVisible()
  await owner.replyTo(message!.id, 'Merci!', 'in_5')
  await guest.context().setOffline(false)
  await expect(guest.getByText(/^ਮਾਲਕ ਆ ਰਿਹਾ ਹੈ: \S+.* ਤੱਕ$/)).toBeVisible()
  await expect(guest).toHaveTitle(/^ਮਾਲਕ ਆ ਰਿਹਾ ਹੈ: /)
  await expect(guest.getByText('Merci!')).toBeVisible()
  expect(await guest.evaluate('vibrations')).toEqual([200])

  // that time is over
  await product.db`update messages set replied_at = replied_at - interval '5 minutes' where id = ${message!.id}`
  await guest.reload()
  await guest.getByText('ਕਿਸ ਨੂੰ ਫ਼ੋਨ ਕਰਨਾ ਹੈ').click()
  await expect(guest.getByRole('link', { name: '911' })).toBeVisible()
  expect(digits).not.toBe('')

  // from the answer to a registered plate: it is filled in where the guest registers it, also after the sign-in
  const [own, account] = [newPlate(), await person()]
  await guest.getByLabel('ਤੁਹਾਡੀ ਪਲੇਟ').fill(own.toLowerCase())
  await guest.getByRole('button', { name: 'ਆਪਣੀ ਪਲੇਟ ਰਜਿਸਟਰ ਕਰੋ' }).click()
  await expect(guest).toHaveURL(/\/signup$/)
  await guest.getByRole('main').getByRole('link', { name: 'Log In' }).click()
  await expect(guest).toHaveURL(/\/login$/)
  await logIn(guest, account.email)
  await guest.getByRole('main').getByRole('link', { name: 'Add Vehicle', exact: true }).first().click()
  await expect(guest.getByRole('textbox', { name: 'License Plate' })).toHaveValue(own)
  // the next user of this browser does not find it
  await guest.getByRole('button', { name: 'Menu' }).click()
  await guest.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(guest).toHaveURL(/\/$/)
  expect(await guest.evaluate(() => JSON.stringify(localStorage))).not.toContain(own)
})

test('the printed card is read at 40 % of its size, in every size', async ({ person, visit }) => {
  const owner = await person()
  await owner.registerVehicle()
  const page = await visit({ as: owner, at: paths.vehicles(), options: { deviceScaleFactor: PRINT_SCALE } })
  const { paper } = await makeTag(page, 'en')
  for (const size of ['letter', 'a6', 'window'] as const) {
    await page.emulateMedia({ media: 'screen' })
    await page.getByLabel('Size').selectOption(size)
    await page.emulateMedia({ media: 'print' })
    expect(await readCode(await paper.screenshot()), size).toMatch(/\/t\/[\w-]{22}$/)
    // what surrounds the card on the screen is not printed
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g), `sheets of ${size}`).toHaveLength(1)
  }
})

test('a guest writes from right to left and uses the keyboard alone, and the owner revokes the card', async ({
  audit,
  person,
  product,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^403 POST \/t$/)
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const owners = await visit({ as: owner, at: paths.vehicles() })
  const { digits } = await makeTag(owners, 'en')
  await audit(owners, 'windshield tag')

  const guest = await visit({ at: paths.tag(), options: { locale: 'ar-EG' } })
  await expect(guest.getByRole('banner')).toHaveCSS('direction', 'rtl')
  await expect(guest).toHaveTitle(/^التواصل مع مالك هذه المركبة/)
  await expect(guest.getByRole('contentinfo').getByRole('link')).toHaveText(['الشروط', 'الخصوصية', 'التواصل معنا'])
  const send = guest.getByRole('button', { name: 'إبلاغ المالك' })
  const digitsField = guest.getByLabel('الأرقام الثمانية على البطاقة')
  const end = guest.getByLabel('آخر ثلاثة أحرف أو أرقام من اللوحة')
  const press = async () => {
    await tabTo(guest, send)
    await guest.keyboard.press('Enter')
  }
  await press()
  await expect(digitsField).toBeFocused() // what is missing has the focus
  await audit(guest, 'an empty form')
  await guest.keyboard.type(digits)
  await tabTo(guest, end)
  await guest.keyboard.type('zzz')
  await tabTo(guest, guest.getByLabel('مركبتك تسد الطريق'))
  await guest.keyboard.press('ArrowDown')
  for (let i = 0; i < 6; i++) await guest.keyboard.press('ArrowDown')
  const call = guest.getByRole('link', { name: 'الاتصال بالرقم 911' })
  await expect(call).toBeVisible()
  await tabTo(guest, guest.getByLabel('أنا أنتظر هنا'))
  await guest.keyboard.press('Space')
  await press()
  await expect(guest.getByText('لم تُقبل الرسالة.')).toBeVisible()
  await audit(guest, 'a refused message')
  await tabTo(guest, end, 'Shift+Tab')
  await guest.keyboard.press('ControlOrMeta+A')
  await guest.keyboard.type(plate.slice(-3))
  await press()
  await expect(guest.getByText('لا يوجد رد بعد')).toBeVisible()
  await expect(call).toBeVisible()
  await audit(guest, 'a receipt that waits')

  const [message] = await owner.receivedMessages()
  expect(message!.reason).toBe('someone_inside')
  await product.db`update messages set inserted_at = inserted_at - interval '5 minutes' where id = ${message!.id}`
  await guest.reload()
  await expect(guest.getByRole('heading', { level: 1 })).toBeFocused() // the receipt has come
  await tabTo(guest, guest.getByRole('button', { name: 'السؤال مرة أخرى' }))
  await guest.keyboard.press('Enter')
  await expect(guest.getByText('لقد سألت مرة أخرى.')).toBeVisible()
  await audit(guest, 'a receipt without an answer')
  await owner.replyTo(message!.id, `Thank you. <b>5 min.</b> ${UNBROKEN}`, 'in_5')
  await expect(guest.getByText(/^المالك قادم: بحلول /)).toBeVisible()
  await expect(guest.getByText('Thank you. <b>5 min.</b>')).toBeVisible()
  await audit(guest, 'an answered receipt')

  await owners.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(owners.getByRole('alertdialog')).toBeVisible()
  await audit(owners, 'the end of a card')
  await owners.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(owners.getByText('The tag is revoked.')).toBeVisible()
  await expect(owners.getByRole('button', { name: MAKE.en })).toBeVisible()
  await audit(owners, 'no card')
})

test('a browser has to compute a proof of work when many tries fail, and does so by itself; otherwise nothing of it is loaded', async ({
  person,
  visit,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^403 POST \/[tn]$/)
  const [owner, sender, unregistered] = [await person(), await person(), newPlate()]
  const { plate } = await owner.registerVehicle()
  const { digits } = await makeTag(await visit({ as: owner, at: paths.vehicles() }), 'en')
  const guest = await visit()
  const challenges: string[] = []
  const loaded: string[] = []
  guest.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    ;(pathname === '/api/proof-of-work' ? challenges : loaded).push(pathname)
  })
  const isWorker = (path: string) => /proof/.test(path) && !/call-with-proof/.test(path)
  const send = async () => {
    await guest.goto(paths.tag())
    await guest.getByLabel('The eight digits on the tag').fill(digits)
    await guest.getByLabel('The last three characters of the plate').fill(plate.slice(-3))
    await guest.getByLabel('The alarm of your vehicle is sounding.').check()
    await guest.getByRole('button', { name: 'Tell the owner' }).click()
    await expect(guest.getByText('No reply yet')).toBeVisible()
  }
  await send()
  expect([challenges, loaded.filter(isWorker)]).toEqual([[], []])

  const key = 'ceiling:guestFailures'
  await product.db`
    insert into rate_counters (key, window_start, count, expires_at) values (${key}, now(), 1000000, now() + interval '10 minutes')`
  try {
    await send()
    expect(challenges).toHaveLength(1)
    expect(loaded.filter(isWorker)).not.toEqual([])
    expect(await owner.receivedMessages()).toHaveLength(2)
    const code = await sender.leaveNote(unregistered, 'Your window is open')
    await guest.goto(paths.note(code))
    await guest.getByLabel('Your licence plate').fill(unregistered)
    await guest.getByRole('button', { name: 'Read the note' }).click()
    await expect(guest.getByText('Your window is open')).toBeVisible()
    expect(challenges).toHaveLength(2)
  } finally {
    await product.db`delete from rate_counters where key = ${key}`
  }
})
