import { SERVER_ERROR } from '../support/test-data.ts'
import { data, heading, link, walk } from './walk.ts'

// Requirements §8: what is said when a call fails. The texts of refused input and of failed account pages are in §5, that of a refused email in §2, those of success on the way through §2 and
// §4, those of calls in server/src/test/specification.

walk('§8 errors of replies, and of a screen that cannot be shown', async ({ open, person, allow }) => {
  allow(/^40[04] (POST|GET) \/api\/messages/, /net::ERR_FAILED/, /^console: /, /^exception: /)
  const [owner, sender] = [await person(), await person()]
  const [remaining, sold] = [await owner.registerVehicle(), await owner.registerVehicle()]
  const kept = await sender.sendMessage(remaining.plate, 'E2E: 42')
  const lost = await sender.sendMessage(sold.plate, 'E2E: 43')
  const screen = await open(owner)
  const { page, goto, openLink, sees, click, failWith, restore } = screen
  await page.route('**/api/live', (route) => route.abort()) // does not learn of the deletion
  await openLink(`/dashboard/messages?view=received#${kept}`)
  const reply = screen.part(page.getByRole('article'))
  await reply.fill({ Reply: 'E2E: 44' })
  await failWith('**/reply', SERVER_ERROR)
  await reply.click('Send reply')
  await sees('Reply failed', data(SERVER_ERROR.error))
  await restore()
  // once it is marked read, nothing else is asked of the message
  const marked = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await openLink(`/dashboard/messages?view=received#${lost}`)
  await marked
  await reply.sees(data('E2E: 43'))
  await reply.fill({ Reply: 'E2E: 45' })
  await owner.deleteVehicle(sold)
  await reply.click('Send reply')
  await sees('Could not load vehicle')

  // a response that this release does not know
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
  await goto('/dashboard')
  await sees(heading('Something went wrong'))
  await page.unroute('**/api/dashboard')
  await click('Reload the page')
  await sees(link('Add Vehicle'))
})
