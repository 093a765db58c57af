import { localizedPath } from '#contract/paths.ts'
import { sample } from '../../scripts/lib/sample.mjs'
import { grantAdmin } from '../support/admins.ts'
import { expect, test } from '../support/fixtures.ts'
import { textsOf } from '../support/texts.ts'

for (const locale of sample.pick('lost mails', ['en', 'fr-CA'] as const)) {
  test(`the audit log says which emails about a decision had nobody to go to (${locale})`, async ({
    person,
    visit,
    product,
  }) => {
    const t = textsOf(locale)
    const admin = await grantAdmin(product, await person({ locale }))
    const [holder, challenger] = [await person(), await person()]
    const { plate } = await holder.registerVehicle()
    const claim = await challenger.registerVehicle(plate)
    await product.inbox.to(holder.email, 2) // the first asked for documents
    await product.inbox.to(challenger.email, 2)
    // as a release before addresses were validated left them
    for (const { id } of [holder, challenger])
      await product.db`update auth.users set email = ${`nobody at home ${id}`} where id = ${id}`
    await admin.approveVehicle(claim)
    const page = await visit({ as: admin })
    await expect(async () => {
      await page.goto(localizedPath('/admin/audit-log', locale))
      for (const key of ['admin_mail_no_peer_address', 'admin_mail_no_address'])
        await expect(page.getByText(t(key)).first()).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })
}
