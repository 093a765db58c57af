import { expect, test } from '../support/fixtures.ts'
import { startSlowConnection } from '../support/slow-connection.ts'

// In a browser without a back/forward cache: leaving a page ends its requests, also the one that ends the session.

test('signing out ends the session on the server, even on a slow connection', async ({ person, visit, product }) => {
  const owner = await person()
  const connection = await startSlowConnection(/\/auth\/v1\/logout/)
  const page = await visit({ as: owner, at: '/dashboard', options: connection.options })
  const countSessions = async () => (await product.db`select from auth.sessions where user_id = ${owner.id}`).length
  const before = await countSessions()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect.poll(countSessions).toBe(before - 1)
  connection.stop()
})
