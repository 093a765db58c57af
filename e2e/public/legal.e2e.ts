import { expect, test } from '../support/fixtures.ts'
import { startSecondServer } from '../support/product.ts'

const PAGES = [
  {
    path: '/terms-and-conditions',
    title: 'Terms and Conditions',
    updated: 'Last updated June 22, 2025',
    sections: [
      '1. Acceptance of Terms',
      '2. Description of the Service',
      '3. Your Responsibilities',
      '4. Prohibited Conduct',
      '5. Privacy',
      '6. Intellectual Property',
      '7. Disclaimers and Liability',
      '8. Termination',
      '9. Governing Law',
      '10. Changes to These Terms',
    ],
  },
  {
    path: '/privacy',
    title: 'Privacy Policy',
    updated: 'Last updated June 22, 2025',
    sections: [
      '1. Introduction',
      '2. Information We Collect',
      '3. How We Use Information',
      '4. How Information Is Shared',
      '5. Your Rights and Choices',
      '6. Cookies and Browser Storage',
      '7. Security and Retention',
      '8. Children',
      '9. International Transfers',
      '10. Changes to This Policy',
    ],
  },
  {
    path: '/fr/terms-and-conditions',
    title: 'Conditions d’utilisation',
    updated: 'Dernière mise à jour : 22 juin 2025',
    sections: [
      '1. Acceptation des conditions',
      '2. Description du service',
      '3. Vos responsabilités',
      '4. Conduites interdites',
      '5. Vie privée',
      '6. Propriété intellectuelle',
      '7. Exclusions et responsabilité',
      '8. Fin de l’entente',
      '9. Droit applicable',
      '10. Modification des conditions',
    ],
  },
  {
    path: '/fr/privacy',
    title: 'Politique de confidentialité',
    updated: 'Dernière mise à jour : 22 juin 2025',
    sections: [
      '1. Introduction',
      '2. Renseignements recueillis',
      '3. Utilisation des renseignements',
      '4. Communication des renseignements',
      '5. Vos droits et vos choix',
      '6. Témoins et stockage du navigateur',
      '7. Sécurité et conservation',
      '8. Enfants',
      '9. Transferts à l’étranger',
      '10. Modification de la politique',
    ],
  },
]
for (const { path, title, updated, sections } of PAGES) {
  test(`${path} has its ten sections and links to each of them, without scripts`, async ({ visit }) => {
    const page = await visit({ at: path, options: { javaScriptEnabled: false, reducedMotion: 'reduce' } })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.locator('time[datetime="2025-06-22"]')).toHaveText(updated)
    await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(sections)
    await expect(page.locator('article section')).toHaveCount(10)

    const links = page.getByRole('main').getByRole('navigation').getByRole('link')
    await expect(links).toHaveCount(10)
    for (const [index, section] of sections.entries()) {
      await links.nth(index).click()
      const heading = page.getByRole('heading', { level: 2, name: section, exact: true })
      await expect(heading).toBeInViewport()
      await expect(page.locator(':target')).toHaveText(section)
    }
  })
}

test('fragments are the same in both languages', async ({ visit }) => {
  for (const path of ['/terms-and-conditions', '/privacy']) {
    const page = await visit({ at: path })
    const anchors = () => page.locator('article h2').evaluateAll((all) => all.map(({ id }) => id))
    const english = await anchors()
    expect(new Set(english).size).toBe(10)
    await page.goto(`/fr${path}`)
    expect(await anchors()).toEqual(english)
  }
})

test('on a phone the table of contents unfolds above the text @phone', async ({ visit }) => {
  const page = await visit({ at: '/privacy' })
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await expect(contents).toBeHidden()
  await page.getByText('On this page').first().tap()
  await contents.getByRole('link', { name: 'Your Rights and Choices' }).tap()
  await expect(page.getByRole('heading', { name: '5. Your Rights and Choices' })).toBeInViewport()
})

test('the privacy policy names who runs the installation, where, and who is in charge @always', async ({
  product,
  visit,
}) => {
  const plain = await visit({ at: '/privacy' })
  const card = plain.locator('address')
  await expect(card).toHaveText(/^Person in charge of the protection of personal information.*support@platenote\.ca$/)
  for (const line of [product.env['PRIVACY_OFFICER'], product.env['MAIL_SENDER_NAME'], '1 Main Street, Toronto ON'])
    await expect(card).toContainText(line ?? 'not set')
  // the rules inside the company have an address of their own
  for (const [at, heading] of [
    ['/privacy#how-we-decide', 'How we decide'],
    ['/fr/privacy#how-we-decide', 'Comment nous décidons'],
  ] as const) {
    await plain.goto(at)
    await expect(plain.locator(':target')).toHaveText(heading)
    await expect(plain.locator(':target')).toBeInViewport()
  }

  const env = {
    ...product.env,
    PRIVACY_OFFICER: 'Jeanne <Côté>',
    PRIVACY_EMAIL: 'vie-privee@example.com',
    MAIL_SENDER_NAME: 'PlateNote Canada Inc.',
    MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON',
  }
  const other = await startSecondServer({ ...product, env })
  try {
    const page = await visit({ at: `${other.url}/fr/privacy` })
    for (const line of ['Jeanne <Côté>', 'PlateNote Canada Inc.', '1 Main Street, Toronto ON'])
      await expect(page.locator('address')).toContainText(line)
    await expect(page.locator('address').getByRole('link')).toHaveAttribute('href', 'mailto:vie-privee@example.com')
    await page.goto(`${other.url}/terms-and-conditions`)
    await expect(page.getByText('between you and PlateNote Canada Inc.')).toBeVisible()
  } finally {
    await other.stop()
  }
})

test('the browser stores no cookie, and nothing beyond what the privacy policy says', async ({ person, visit }) => {
  const page = await visit({ as: await person(), at: '/dashboard' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const path of ['/send', '/dashboard/vehicle/new', '/dashboard/profile', '/', '/privacy', '/t', '/n'])
    await page.goto(path)
  expect(await page.context().cookies()).toEqual([])
  const allowedKeys = [
    ...['sb-auth-token', 'signupEmail', 'signupSecret', 'theme', 'platenote-province', 'platenote-push'],
    ...['consent', 'platenote-language', 'platenote-language-offered'],
    ...['platenote-guest-device', 'platenote-guest-language', 'platenote-carried-plate'],
  ]
  const storedKeys = await page.evaluate(() => Object.keys(localStorage))
  expect(storedKeys).toContain('sb-auth-token')
  expect(storedKeys.filter((key) => !allowedKeys.includes(key))).toEqual([])
})
