import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { LANGUAGE_TAGS } from '#contract/product.ts'
import { formPages, inFrench, textPages } from '../../web/pages.mjs'
import { test as base, expect } from '../support/fixtures.ts'
import { logIn, menu, sendForm } from '../support/page-objects.ts'
import { confirmationLink, emailedCode, newEmail, PASSWORD } from '../support/people.ts'
import { IPHONE_USER_AGENT } from '../support/test-data.ts'
import { textsOf } from '../support/texts.ts'

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

test.describe.configure({ mode: 'parallel' })

const SENTENCE = 'This browser keeps nothing: reloading the page or closing the tab signs you out.'

/** Fills in /signup, in English. */
async function signUp(page: Page, email: string) {
  await page.goto('/signup')
  await expect(page.getByText(SENTENCE)).toBeVisible()
  await page.getByLabel('Full Name').fill('Robin Tester')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
}

for (const [locale, prefix] of [
  ['en', ''],
  ['fr-CA', '/fr'],
] as const) {
  const t = textsOf(locale)
  test(`somebody new gets a code, sends, and reads the answer; a reload signs out (${locale})`, async ({
    blocked,
    person,
    product,
  }) => {
    const owner = await person()
    const { plate } = await owner.registerVehicle()
    const page = await blocked.newPage()
    await page.goto(`${prefix}/login?next=%2Fsend`)
    await expect(page.getByText(t('login_stores_nothing'))).toBeVisible()
    const email = newEmail()
    await page.getByLabel(t('auth_email')).fill(email)
    await page.getByRole('button', { name: t('login_code') }).click()
    await page.locator('[name=code]').fill(await emailedCode(product, email))
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: t('consent_agree') }).click()
    await expect(page).toHaveURL(`${product.url}${prefix}/send`)
    await page.getByLabel(t('send_plate')).fill(plate)
    await page.getByRole('textbox', { name: t('send_message') }).fill('Your lights are on.')
    await page.getByRole('button', { name: t('send_submit') }).click()
    await page.getByRole('link', { name: t('send_done_see_sent') }).click()
    const [message] = await owner.receivedMessages()
    await owner.replyTo(message!.id, 'On my way down.')
    await expect(page.getByRole('article')).toContainText('On my way down.') // by the live stream

    // what is otherwise loaded anew: a page of text, and the other language
    await page.getByRole('link', { name: t('nav_privacy_short'), exact: true }).click()
    await expect(page).toHaveURL(`${product.url}${prefix}/privacy`)
    await page
      .getByRole('banner')
      .getByRole('link', { name: t('nav_dashboard') })
      .click()
    await expect(page).toHaveURL(`${product.url}${prefix}/dashboard`)
    const other = locale === 'en' ? 'fr-CA' : 'en'
    await page.getByRole('link', { name: locale === 'en' ? 'Français' : 'English' }).click()
    await expect(page).toHaveURL(`${product.url}${locale === 'en' ? '/fr' : ''}/dashboard`)
    await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE_TAGS[other])
    await expect(page.getByRole('button', { name: textsOf(other)('action_sign_out') })).toBeVisible()
    await expect
      .poll(() => product.db`select locale from preferences join auth.users on id = user_id where email = ${email}`)
      .toEqual([{ locale: other }])

    await page.reload()
    await expect(page).toHaveURL(/\/login\?next=%2Fdashboard$/)
    await expect(page.getByText(textsOf(other)('login_stores_nothing'))).toBeVisible()
  })
}

test('a sign-up is confirmed by its code, or by its link in a tab of its own; who signs out comes in again', async ({
  blocked,
  product,
}) => {
  const [email, linked] = [newEmail(), newEmail()]
  const page = await blocked.newPage()
  await signUp(page, email)
  await page.locator('[name=code]').fill(await emailedCode(product, email))
  await expect(page.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()

  const waiting = await blocked.newPage()
  await signUp(waiting, linked)
  const tab = await blocked.newPage()
  await tab.goto(await confirmationLink(product, linked))
  await tab.getByRole('button', { name: 'Yes, keep my password' }).click()
  await expect(tab.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()
  await tab.getByRole('button', { name: 'Sign Out' }).click()
  await expect(tab).toHaveURL(`${product.url}/`)

  // each tab is on its own
  await menu(page).link('Messages').click()
  await expect(page.getByText('No messages yet')).toBeVisible()
  await tab.getByRole('banner').getByRole('link', { name: 'Log In' }).click()
  await logIn(tab, linked)
  await expect(tab.getByRole('heading', { name: 'Hello, Robin' })).toBeVisible()
})

test('the page keeps its language where the account has another, and a session that ends keeps what is written', async ({
  blocked,
  person,
  pageGuard,
}) => {
  pageGuard.allow(/^40[013] (GET|POST) \/(api|auth)\//)
  const sender = await person({ locale: 'fr-CA' })
  const page = await blocked.newPage()
  await page.goto('/login?next=%2Fsend')
  await logIn(page, sender.email)
  await expect(page).toHaveURL(/\/send$/)
  await sendForm(page).fill('ABC 123', 'Your lights are on.')
  await sender.signOutEverywhere()
  await sendForm(page).submit()
  await expect(page).toHaveURL(/\/login\?next=%2Fsend$/)
  await logIn(page, sender.email)
  await expect(sendForm(page).message).toHaveValue('Your lights are on.')
})

test('public pages complain about nothing', async ({ blocked, pageGuard }) => {
  pageGuard.allow(/^404 /)
  const page = await blocked.newPage()
  for (const path of [...textPages, ...formPages, '/contact-us/sent', '/no-such-page', ...textPages.map(inFrench)]) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeVisible()
    await expect(page.locator('html')).toHaveClass(/stores-nothing/)
  }
  await page.goto('/')
  await page.getByRole('button', { name: /theme/i }).first().click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', /./)
})

for (const [name, options] of [
  ['without service workers and notifications', {}],
  ['inside an app on an iPhone', { userAgent: IPHONE_USER_AGENT.replace(/ Safari\S+/, ' [FBAN/FBIOS]') }],
] as const)
  test(`a browser ${name} is offered neither`, async ({ person, visit }) => {
    const [owner, sender] = [await person(), await person()]
    const vehicle = await owner.registerVehicle()
    await sender.sendMessage(vehicle.plate, 'Your lights are on.')
    const page = await visit({ as: owner, options: { ...options, serviceWorkers: 'allow' } })
    await page.addInitScript(`delete Navigator.prototype.serviceWorker
      delete window.PushManager
      delete window.Notification`)
    await page.goto('/dashboard/profile/notifications')
    await expect(page.getByText('This browser can’t show notifications.')).toBeVisible()
    await page.goto(`/dashboard/vehicles/${vehicle.id}/welcome`)
    await expect(page.getByRole('button', { name: 'Make a card' })).toBeVisible()
    await expect(page.getByText('Notifications on this device')).toHaveCount(0)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/$/)
  })
