import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { logIn, vehicleForm, waitForIdle } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'

const DAY_MS = 86_400_000

/** Makes the clock of a device wrong by this much. */
const setClockOff = (target: BrowserContext | Page, byMs: number) =>
  target.addInitScript((ms) => {
    const Right = Date
    globalThis.Date = class extends Right {
      constructor(...parts: [] | [number]) {
        if (parts.length > 0) super(...(parts as [number]))
        else super(Right.now() + ms)
      }
      static override now = () => Right.now() + ms
    } as DateConstructor
  }, byMs)

test('a device whose clock is a day ahead goes by the server’s', async ({ person, product, visit }) => {
  const owner = await person()
  const page = await visit()
  await setClockOff(page.context(), DAY_MS)
  const calls: string[] = []
  page.context().on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/auth/v1/token') calls.push(search)
  })
  await page.goto('/login')
  await logIn(page, owner.email)
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
  for (const [tab, path] of [
    [page, '/dashboard/messages'],
    [await page.context().newPage(), '/dashboard/vehicles'],
  ] as const) {
    await tab.goto(path)
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
    await waitForIdle(tab)
  }
  expect(calls).toEqual(['?grant_type=password'])

  await product.db`update auth.sessions set refreshed_at = now() - interval '5 minutes 30 seconds'`
  await page.goto('/dashboard/profile/security')
  await expect(page.getByText('5 minutes ago').first()).toBeVisible()

  await setClockOff(page, 800 * DAY_MS) // beside the day above: more than two years
  await page.goto('/dashboard/vehicle/new')
  const form = vehicleForm(page)
  await form.fill(newPlate())
  const thisYear = String(new Date().getFullYear())
  await expect(form.year.getByRole('option').nth(1)).toHaveText(thisYear)
  await form.year.selectOption(thisYear)
  await form.button.click()
  await expect(page.getByText('Plate registered successfully.')).toBeVisible()
})
