import type { Page } from '@playwright/test'
import type { Locale } from '#contract/product.ts'
import { currentCode } from '../../server/src/test/factors.ts'
import { expect } from './fixtures.ts'
import { codeField } from './page-objects.ts'
import { codeAfter } from './people.ts'
import type { Product } from './product.ts'
import { textsOf } from './texts.ts'

/** Gives a browser an authenticator that confirms every request, as somebody with a fingerprint reader would. */
export async function addVirtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Sets up an authenticator app on a page that offers it, as a person who types the key into their app. Returns the key.
 *
 * @param mailbox where the code comes that the first second step of an account needs
 */
export async function setUpApp(
  page: Page,
  mailbox: { product: Product; email: string } | null,
  locale: Locale = 'en',
): Promise<string> {
  const t = textsOf(locale)
  await page.getByRole('button', { name: t('factor_add_app') }).click()
  const start = () => page.getByRole('button', { name: t('factor_app_start') }).click()
  if (mailbox) await codeField(page).fill(await codeAfter(mailbox.product, mailbox.email, start))
  else await start()
  await expect(page.getByRole('img', { name: t('factor_app_qr') })).toBeVisible()
  const secret = (await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/).textContent())!.replaceAll(' ', '')
  await page.getByLabel(t('factor_code'), { exact: true }).fill(currentCode(secret))
  await page.getByRole('button', { name: t('factor_app_done'), exact: true }).click()
  return secret
}
