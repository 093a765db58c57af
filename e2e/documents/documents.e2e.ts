import type { Page } from '@playwright/test'
import { sample } from '../../scripts/lib/sample.mjs'
import { pdfWith } from '../../server/src/test/pdf-bytes.ts'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { invalidImage, photo } from '../support/image-files.ts'
import { newPlate } from '../support/people.ts'

const PDF = { name: 'Roy, Sam.pdf', mimeType: 'application/pdf', buffer: pdfWith('ownership permit') }

const TEXTS = {
  en: {
    prefix: '',
    panel: 'Send your documents',
    seal: 'They’re sealed: only the admin who decides can open them.',
    first: 'Choose a photo or PDF',
    second: 'Choose the second one',
    photo: /Photo, \d+.kB/,
    pdf: /PDF, 1.kB/,
    arrived: /Arrived \w{3} \d+, \d{4} \d+:\d\d [AP]M/,
    waits: 'Your documents have arrived. Your registration waits for a person to decide',
    remove: 'Remove',
    removed: 'Document removed',
    dispute: (plate: string) => `Dispute over ${plate}`,
    challenger: 'Challenger',
    viewer: 'Photo',
    close: 'Close',
    approve: 'Approve this side',
    confirm: 'Approve and delete the other',
    approved: 'Vehicle approved; dispute cleared & peer deleted',
  },
  'fr-CA': {
    prefix: '/fr',
    panel: 'Envoyer vos documents',
    seal: 'seule la personne de l’équipe qui tranche peut les ouvrir.',
    first: 'Choisir une photo ou un PDF',
    second: 'Choisir le deuxième',
    photo: /Photo, \d+.ko/,
    pdf: /PDF, 1.ko/,
    arrived: /Arrivé le (1er|\d+)\s\S+\s\d{4}, \d+\sh\s\d\d/,
    waits: 'Vos documents sont arrivés. Votre enregistrement attend la décision d’une personne',
    remove: 'Retirer',
    removed: 'Document retiré',
    dispute: (plate: string) => `Litige sur ${plate}`,
    challenger: 'Demandeur',
    viewer: 'Photo',
    close: 'Fermer',
    approve: 'Approuver cette partie',
    confirm: 'Approuver et supprimer l’autre',
    approved: 'Véhicule approuvé; litige clos et autre enregistrement supprimé',
  },
} as const

const variants = (['en', 'fr-CA'] as const).flatMap((locale) => ['', ' @phone'].map((size) => ({ locale, size })))

const panelOf = (page: Page, name: string, plate: string) => page.getByRole('region', { name: `${name} ${plate}` })

for (const { locale, size } of sample.pick('sending documents', variants)) {
  test(`an owner sends two documents, and the admin who decides opens them: ${locale}${size} @always`, async ({
    person,
    visit,
    product,
  }) => {
    const t = TEXTS[locale]
    const [holder, challenger] = [await person(), await person({ locale })]
    const admin = await grantAdmin(product, await person({ locale }))
    await product.db`delete from vehicles` // those of other tests
    const { plate } = await holder.registerVehicle(newPlate(), 'Quebec')
    await challenger.registerVehicle(plate, 'Quebec')

    const page = await visit({ as: challenger, at: `${t.prefix}/dashboard/vehicles` })
    const panel = panelOf(page, t.panel, plate)
    await expect(panel).toContainText(t.seal)
    const input = panel.locator('input[type=file]:not([capture])')
    await expect(panel.getByText(t.first)).toBeVisible()
    await input.setInputFiles(await photo())
    await expect(panel.getByRole('listitem')).toContainText(t.photo)
    await expect(panel.getByText(t.second)).toBeVisible()
    await input.setInputFiles(PDF)
    const arrived = panel.getByRole('listitem')
    await expect(arrived).toHaveCount(2)
    await expect(arrived.nth(1)).toContainText(t.pdf)
    await expect(arrived.nth(1)).toContainText(t.arrived)
    await expect(input).toHaveCount(0) // there are two
    await expect(page.getByText(t.waits)).toBeVisible()
    await arrived.first().getByRole('button', { name: t.remove }).click()
    await expect(page.getByText(t.removed)).toBeVisible()
    await input.setInputFiles(await photo(400))
    await expect(arrived).toHaveCount(2)
    await page.reload()
    await expect(arrived).toHaveCount(2) // what they are is shown again, what is in them never

    const desk = await visit({ as: admin, at: `${t.prefix}/admin/disputes` })
    const side = desk.getByRole('listitem', { name: t.dispute(plate) }).getByRole('region', { name: t.challenger })
    await expect(side.getByRole('button', { name: t.photo })).toBeVisible()
    await side.getByRole('button', { name: t.photo }).click()
    const viewer = desk.getByRole('dialog', { name: t.viewer })
    await expect(viewer.locator('img')).toHaveJSProperty('naturalWidth', 400)
    await desk.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    const download = desk.waitForEvent('download')
    await side.getByRole('button', { name: t.pdf }).click()
    expect((await download).suggestedFilename()).toBe(`${plate}.pdf`)
    expect(desk.context().pages()).toHaveLength(1) // nothing shows it

    await side.getByRole('button', { name: t.approve }).click()
    await desk.getByRole('alertdialog').getByRole('button', { name: t.confirm }).click()
    await expect(desk.getByText(t.approved)).toBeVisible()
    const [left] = await product.db<{ count: number }[]>`select count(*)::int as count from dispute_documents`
    expect(left!.count).toBe(0)
    const openings = await product.db`select from audit_log where action = 'document_opened' and actor_id = ${admin.id}`
    expect(openings).toHaveLength(2)
  })
}

test('what is neither a photo nor a PDF is refused with what to do, and can be tried again', async ({
  person,
  visit,
  pageGuard,
}) => {
  pageGuard.allow(/^400 POST \/api\/vehicles\/.*\/documents/)
  const [holder, challenger] = [await person(), await person()]
  const { plate } = await holder.registerVehicle(newPlate(), 'Quebec')
  await challenger.registerVehicle(plate, 'Quebec')
  const page = await visit({ as: holder, at: '/dashboard' })
  const panel = panelOf(page, 'Send your documents', plate)
  const input = panel.locator('input[type=file]:not([capture])')
  await input.setInputFiles(invalidImage(2000))
  await expect(panel.getByRole('alert')).toHaveText(
    'This file isn’t a photo or PDF we can read. Use a JPEG, PNG, HEIC, WebP or PDF file.',
  )
  await input.setInputFiles({ ...PDF, buffer: Buffer.alloc(10_000_001, PDF.buffer) })
  await expect(panel.getByRole('alert')).toHaveText(
    'The file is larger than 10 MB. A smaller scan or a photo is enough.',
  )
  await input.setInputFiles(PDF)
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await expect(panel.getByRole('alert')).toHaveText('')
})
