import type { Page } from '@playwright/test'
import jsQr from 'jsqr'
import sharp from 'sharp'
import { localizedPath, paths } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { expect, test } from '../support/fixtures.ts'
import type { Person } from '../support/people.ts'

// a CommonJS module: its types name the function `default`, which Node makes the module itself
const decodeQr = jsQr as unknown as typeof jsQr.default

test.describe.configure({ mode: 'parallel' })

const MAKE = { en: 'Make a card', 'fr-CA': 'Créer une carte' } as const
const TAG = { en: 'Windshield tag', 'fr-CA': 'Carte de pare-brise' } as const
const SIZE = { en: 'Size', 'fr-CA': 'Format' } as const

/** Makes the tag of a vehicle on its page, which is left open, and returns what the paper says. */
async function makeTag(page: Page, locale: 'en' | 'fr-CA') {
  await page.getByRole('link', { name: TAG[locale] }).click()
  await page.getByRole('button', { name: MAKE[locale] }).click()
  const paper = page.locator('.tag-paper')
  const digits = (await paper.locator('strong').textContent())!
  expect(digits).toMatch(/^\d{4} \d{4}$/)
  return { paper, digits }
}

/** Reads the QR code of a picture that is shown at 40 % of its size. */
async function readCode(png: Buffer): Promise<string | undefined> {
  const { width } = await sharp(png).metadata()
  const { data, info } = await sharp(png)
    .resize(Math.round(width * 0.4))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQr(new Uint8ClampedArray(data), info.width, info.height)?.data
}

for (const [ownerLocale, size] of sample.pick('tag', [
  ['fr-CA', ' @phone'],
  ['fr-CA', ''],
] as const)) {
  test(`a guest at a vehicle asks in Punjabi, the owner answers in French, and the receipt shows it${size}`, async ({
    person,
    visit,
  }) => {
    const owner = await person({ locale: ownerLocale })
    const { plate } = await owner.registerVehicle()
    const owners = await visit({ as: owner, at: localizedPath(paths.vehicles(), ownerLocale) })
    const { paper, digits } = await makeTag(owners, ownerLocale)
    await expect(paper).not.toContainText(plate)
    const url = await readCode(await paper.screenshot({ scale: 'css' }))

    const guest = await visit({ options: { locale: 'pa-IN' } })
    await guest.goto(new URL(url!).pathname)
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('ਇਸ ਗੱਡੀ ਦੇ ਮਾਲਕ ਨਾਲ ਸੰਪਰਕ ਕਰੋ')
    // what is missing is said, and gets the focus
    await guest.getByRole('button', { name: 'ਮਾਲਕ ਨੂੰ ਦੱਸੋ' }).click()
    const plateEnd = guest.getByLabel('ਪਲੇਟ ਦੇ ਆਖਰੀ ਤਿੰਨ ਅੱਖਰ')
    await expect(plateEnd).toBeFocused()
    await plateEnd.fill(plate.slice(-3).toLowerCase())
    await guest.getByLabel('ਤੁਹਾਡੀ ਗੱਡੀ ਦੀਆਂ ਬੱਤੀਆਂ ਜਗ ਰਹੀਆਂ ਹਨ।').check()
    await guest.getByLabel('ਮੈਂ ਇੱਥੇ ਉਡੀਕ ਰਿਹਾ/ਰਹੀ ਹਾਂ').check()
    await guest.getByRole('button', { name: 'ਮਾਲਕ ਨੂੰ ਦੱਸੋ' }).click()
    await expect(guest).toHaveURL(/\/r#[\w-]{43}$/)
    await expect(guest.getByText('ਅਜੇ ਕੋਈ ਜਵਾਬ ਨਹੀਂ')).toBeVisible()

    await owners.goto(localizedPath(paths.messages('received'), ownerLocale))
    const card = owners.getByRole('article')
    await expect(card).toContainText('Laissé par quelqu’un près de votre véhicule')
    await expect(card).toContainText('J’attends sur place.')
    const [message] = await owner.receivedMessages()
    await owner.replyTo(message!.id, 'Merci!', 'in_5')
    await expect(guest.getByText('ਮਾਲਕ 5 ਮਿੰਟਾਂ ਵਿੱਚ ਆ ਜਾਵੇਗਾ।')).toBeVisible({ timeout: 15_000 })
    await expect(guest.getByText('Merci!')).toBeVisible()
    await expect(guest.getByRole('link', { name: 'ਆਪਣੀ ਪਲੇਟ ਰਜਿਸਟਰ ਕਰੋ' })).toBeVisible()
    expect(digits).not.toBe('')
  })
}

test('the printed card is read at 40 % of its size, in every size and both languages', async ({ person, visit }) => {
  const owner: Person = await person()
  await owner.registerVehicle()
  for (const locale of ['en', 'fr-CA'] as const) {
    const page = await visit({ as: owner, at: localizedPath(paths.vehicles(), locale) })
    await page.getByRole('link', { name: TAG[locale] }).click()
    const make = page.getByRole('button', { name: MAKE[locale] })
    const paper = page.locator('.tag-paper')
    await expect(make.or(paper)).toBeVisible()
    if (await make.isVisible()) await make.click()
    await page.emulateMedia({ media: 'print' })
    for (const size of ['letter', 'a6', 'window'] as const) {
      await page.emulateMedia({ media: 'screen' })
      await page.getByLabel(SIZE[locale]).selectOption(size)
      await page.emulateMedia({ media: 'print' })
      expect(await readCode(await paper.screenshot()), `${size} ${locale}`).toMatch(/\/t\/[\w-]{22}$/)
    }
    await page.context().close()
  }
})

test('without scripts a guest leaves a message by its digits, is told what is wrong, and finds the answer', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^403 POST \/t$/)
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const owners = await visit({ as: owner, at: paths.vehicles() })
  const { digits } = await makeTag(owners, 'en')

  const guest = await visit({ at: paths.tag(), options: { javaScriptEnabled: false } })
  const send = async (end: string) => {
    await guest.getByLabel('The eight digits on the card').fill(digits)
    await guest.getByLabel('The last three characters of the plate').fill(end)
    await guest.getByLabel('The alarm of your vehicle is sounding.').check()
    await guest.getByRole('button', { name: 'Tell the owner' }).click()
  }
  await send('ZZZ')
  await expect(guest.getByRole('alert')).toContainText('That was not taken.')
  await send(plate.slice(-3))
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Your message has been left for the owner.')
  const [message] = await owner.receivedMessages()
  await owner.replyTo(message!.id, '', 'coming')
  await guest.getByRole('button', { name: 'Look for an answer' }).click()
  await expect(guest.getByText('The owner is coming now.')).toBeVisible()
})
