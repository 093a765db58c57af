import { expect, test } from '../support/fixtures.ts'
import { logIn, simulateTabReturn } from '../support/page-objects.ts'

const html = 'html[lang]'

test('a French account reads French at every address, however it signs in', async ({ person, visit }) => {
  const owner = await person({ locale: 'fr-CA' })
  const page = await visit({ as: owner, language: 'account' })
  // runs in the page: records the words of the English frame, should they ever appear
  await page.addInitScript({
    content: `new MutationObserver(() => {
      if (document.body?.innerText.includes('My Vehicles')) sessionStorage.setItem('seen', location.pathname)
    }).observe(document, { childList: true, subtree: true })`,
  })
  await page.goto('/about-us')
  for (const path of ['/send?plate=ABC123', '/dashboard/messages?view=sent#none', '/dashboard/profile']) {
    await page.goto(path)
    await expect(page.locator(html)).toHaveAttribute('lang', 'fr-CA')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/fr${path.split('#')[0]}`)
    expect(await page.evaluate(`sessionStorage.getItem('seen')`)).toBeNull()
  }
  // public pages stay in the language of their address; Back does not lead to an address that leads away again
  await page.goBack()
  await expect(page).toHaveURL(/\/fr\/dashboard\/messages\?view=sent#none$/)
  await page.goto('/about-us')
  await expect(page).toHaveURL(/localhost:\d+\/about-us$/)

  const signingIn = await visit({ at: '/login?next=%2Fsend%3Fplate%3DABC123' })
  await logIn(signingIn, owner.email)
  await expect(signingIn).toHaveURL(/\/fr\/send\?plate=ABC123$/)
  await expect(signingIn.getByRole('heading', { level: 1 })).toHaveText('Envoyer un message sécurisé')
})

test('the language switch changes the account everywhere', async ({ person, visit, product, pageGuard }) => {
  const owner = await person()
  const page = await visit({ as: owner, at: '/dashboard' })
  const otherTab = await page.context().newPage()
  await otherTab.goto('/dashboard/profile')
  await expect(otherTab.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  const otherBrowser = await visit({ as: owner, language: 'account' })

  await page.getByRole('link', { name: 'Français' }).click()
  await expect(page).toHaveURL(/\/fr\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Bonjour, Alex' })).toBeVisible()
  const stored = () => product.db`select locale from preferences where user_id = ${owner.id}`
  expect(await stored()).toEqual([{ locale: 'fr-CA' }])
  // a tab that is returned to follows, where it is
  await simulateTabReturn(otherTab)
  await expect(otherTab).toHaveURL(/\/fr\/dashboard\/profile$/)
  await expect(otherTab.getByRole('combobox', { name: 'Langue' })).toHaveValue('fr-CA')
  // another browser knows it with its next page
  await otherBrowser.goto('/dashboard/vehicles')
  await expect(otherBrowser).toHaveURL(/\/fr\/dashboard\/vehicles$/)

  // the header of a public page, which has no scripts, does the same
  await page.goto('/fr/about-us')
  await page.getByRole('banner').getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/about-us$/)
  expect(await stored()).toEqual([{ locale: 'en' }])
  await page.goto('/fr/send')
  await expect(page).toHaveURL(/localhost:\d+\/send$/)

  // when it cannot be saved it still applies here, and is saved by the next page
  pageGuard.allow(/^503 PATCH \/api\/preferences/)
  await page.route('**/api/preferences', (route) => route.fulfill({ status: 503, json: {} }), { times: 2 })
  await page.getByRole('link', { name: 'Français' }).click()
  await expect(page).toHaveURL(/\/fr\/send$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await stored()).toEqual([{ locale: 'en' }])
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/fr\/dashboard$/)
  await expect.poll(stored).toEqual([{ locale: 'fr-CA' }])
})
