import sharp from 'sharp'
import { expect, test } from '../support/fixtures.ts'
import { heicPhoto, invalidImage, photo } from '../support/image-files.ts'
import { sendForm } from '../support/page-objects.ts'

const UNREADABLE = 'This file isn’t an image we can read. Use a JPEG, PNG, HEIC, WebP, AVIF or GIF file.'
const MEGABYTE = 1_000_000

test('an upload is refused, retried, removed, waited for, upright @phone', async ({ person, visit, pageGuard }) => {
  pageGuard.allow(/^400 POST \/api\/attachments/, /net::ERR_(ABORTED|FAILED)/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: '/send' })
  const form = sendForm(page)
  await form.photo.setInputFiles(invalidImage(100))
  await expect(form.photo).toHaveAccessibleDescription(new RegExp(UNREADABLE))
  await form.fill(plate, 'With a photo')
  await form.submit()
  await expect(page.getByRole('alert')).toContainText(
    'The photo didn’t upload. Try again, choose another one or remove it.',
  )
  await form.photo.setInputFiles(invalidImage(11 * MEGABYTE))
  await expect(form.photo).toHaveAccessibleDescription(/The image is larger than 10 MB\./)
  await page.route('**/api/attachments', (route) => route.abort(), { times: 1 })
  await form.photo.setInputFiles(await photo())
  await expect(form.photo).toHaveAccessibleDescription(/No connection to PlateNote\./)
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/attachments', async (route) => {
    await gate.promise
    await route.continue().catch(() => {}) // the first of them is cancelled
  })
  const begun = page.waitForRequest('**/api/attachments') // the bar is there earlier: the photo is resized first
  await page.getByRole('button', { name: 'Try again' }).click()
  await begun
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/attachments'))
  await page.getByRole('button', { name: 'Remove' }).click()
  await cancelled

  // taken upright with the camera, which is one tap away
  const { buffer, ...file } = await photo(2_400)
  const camera = page.getByLabel('Take a photo')
  await expect(camera).toHaveAttribute('capture', 'environment')
  await camera.setInputFiles({ ...file, buffer: await sharp(buffer).withMetadata({ orientation: 6 }).toBuffer() })
  await expect(page.getByRole('progressbar', { name: 'Uploading the photo…' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toBeVisible()
  await form.submit()
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
  expect(await owner.receivedMessages()).toEqual([])
  gate.resolve()
  await expect(form.sent).toBeVisible()

  const [message] = await owner.receivedMessages()
  expect(message?.image_url).not.toBeNull()
  const image = await fetch(new URL(message?.image_url ?? '', page.url()))
  expect(image.headers.get('content-type')).toBe('image/webp')
  const stored = await sharp(Buffer.from(await image.arrayBuffer())).metadata()
  expect([stored.width, stored.height]).toEqual([1_536, 2_048]) // it arrives upright
})

test('a HEIC photo is sent, shown to its sender, and seen', async ({ person, visit, pageGuard, audit }) => {
  pageGuard.allow(/^400 POST \/api\/attachments/)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  await expect(form.photo).toHaveAttribute('accept', /image\/heic,image\/heif,\.heic,\.heif/)
  const { buffer, ...file } = heicPhoto()
  await form.photo.setInputFiles({ ...file, buffer: buffer.subarray(0, -100) })
  await expect(form.photo).toHaveAccessibleDescription(/This file is incomplete or damaged\./)

  await form.photo.setInputFiles({ ...file, mimeType: '', buffer })
  await expect(page.getByText('Photo added').first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveJSProperty('naturalHeight', 64)
  await form.message.fill('Look')
  await form.submit()
  await expect(form.sent).toBeVisible()

  const inbox = await visit({ as: owner, at: '/dashboard/messages' })
  const thumbnail = inbox.getByRole('button', { name: 'Show the photo' }).locator('img')
  await expect(thumbnail).toHaveJSProperty('naturalHeight', 64)
  await thumbnail.click()
  await expect(inbox.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
  await audit(inbox, 'photo viewer')
})

test('a photo that is gone is uploaded again, or asked for', async ({ person, product, visit, pageGuard }) => {
  pageGuard.allow(/^409 POST \/api\/messages$/, /^404 GET \/storage\//)
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  const page = await visit({ as: sender, at: `/send?plate=${plate}` })
  const form = sendForm(page)
  const NO_LONGER_AVAILABLE = /The image is no longer available\. Please add it again\./
  await form.message.fill('With a photo')
  await form.photo.setInputFiles(await photo())
  await expect(page.getByText('Photo added').first()).toBeVisible()
  await product.db`delete from attachments where uploader_id = ${sender.id}`
  await form.submit()
  await expect(form.photo).toHaveAccessibleDescription(NO_LONGER_AVAILABLE)
  await expect(page.getByRole('alert').filter({ hasText: 'The photo didn’t upload.' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Photo added').first()).toBeVisible()

  await page.reload()
  await product.db`delete from attachments where uploader_id = ${sender.id}`
  await form.submit()
  await expect(form.photo).toHaveAccessibleDescription(NO_LONGER_AVAILABLE)
  await expect(page.getByRole('img', { name: 'The photo you chose' })).toHaveCount(0)
  await form.submit()
  await expect(form.sent).toBeVisible()
  expect(await owner.receivedMessages()).toMatchObject([{ content: 'With a photo', image_url: null }])
})
