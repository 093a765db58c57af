import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { sendForm } from '../support/page-objects.ts'
import { emailedCode, newEmail } from '../support/people.ts'

/** Chrome's setting for sites that may store nothing. */
const BLOCK_ALL = { profile: { default_content_setting_values: { cookies: 2 } } }

const test = base.extend<{ blocked: BrowserContext }>({
  /** A whole Chromium in which cookies and site data are blocked. */
  blocked: async ({ playwright, launchOptions, product, pageGuard }, use) => {
    const profile = mkdtempSync(join(tmpdir(), 'platenote-blocked-'))
    mkdirSync(join(profile, 'Default'))
    writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(BLOCK_ALL))
    const options = { ...launchOptions, executablePath: process.env['CHROMIUM_PATH'], baseURL: product.url }
    const context = await playwright.chromium.launchPersistentContext(profile, options)
    const page = await context.newPage()
    await page.goto('/robots.txt')
    await expect(page.evaluate('localStorage.length')).rejects.toThrow('Access is denied')
    await page.close()
    await pageGuard.attach(context)
    await use(context)
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  },
})

const SENTENCE = 'This browser keeps nothing: reloading the page or closing the tab signs you out.'

test('public pages complain about nothing; somebody new gets a code, sends, and reads the answer; a reload signs out', async ({
  audit,
  blocked,
  person,
  product,
  pageGuard,
}) => {
  pageGuard.allow(/^404 /)
  const owner = await person()
  const { plate } = await owner.registerVehicle()
  const page = await blocked.newPage()
  for (const path of ['/fr/privacy', '/no-such-page', '/contact-us', '/n', '/signup', '/login', '/']) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeVisible()
    await expect(page.locator('html')).toHaveClass(/stores-nothing/)
    if (/\/(login|signup)$/.test(path)) await expect(page.getByText(SENTENCE)).toBeVisible() // /admin/login too
    if (path === '/login') await audit(page, 'log-in that stores nothing')
  }
  await page.getByRole('button', { name: /theme/i }).first().click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', /./)

  await page.goto('/login?next=%2Fsend')
  const email = newEmail()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.locator('[name=code]').fill(await emailedCode(product, email))
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page).toHaveURL(`${product.url}/send`)
  await sendForm(page).fill(plate, 'Your lights are on.')
  await sendForm(page).submit()
  await expect(sendForm(page).sent).toBeVisible()
  const [message] = await owner.receivedMessages()
  await owner.replyTo(message!.id, 'On my way down.')
  await expect(page.getByRole('article')).toContainText('On my way down.') // by the live stream

  // what is otherwise loaded anew: a page of text, and the other language
  await page.getByRole('link', { name: 'Privacy', exact: true }).click()
  await expect(page).toHaveURL(`${product.url}/privacy`)
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
  await page.getByRole('link', { name: 'Français' }).click()
  await expect(page).toHaveURL(`${product.url}/fr/dashboard`)
  await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE_TAGS['fr-CA'])
  await expect(page.getByRole('button', { name: 'Se déconnecter' })).toBeVisible()
  await expect
    .poll(() => product.db`select locale from preferences join auth.users on id = user_id where email = ${email}`)
    .toEqual([{ locale: 'fr-CA' }])

  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/)
  await expect(page.getByText('Ce navigateur ne conserve rien')).toBeVisible()
})
