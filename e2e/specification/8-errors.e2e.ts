import { newEmail, PASSWORD } from '../support/people.ts'
import { SERVER_ERROR } from '../support/test-data.ts'
import { data, expect, filled, heading, walk } from './walk.ts'

// Requirements §8: what is said when a call fails. The texts of refused input are in §5, those of success on the way through §2 and
// §4, those of calls in server/src/test/specification.

walk('§8 errors of the account pages', async ({ open, person, allow }) => {
  allow(/^500 POST \/auth\/v1\/(token|signup)/)
  const { email } = await person()
  const screen = await open()
  const { page, goto, sees, fill, tick, click, failWith, restore } = screen
  const main = screen.part(page.getByRole('main'))
  await goto('/login')
  await fill({ Email: email, Password: PASSWORD })
  await failWith('**/auth/v1/token*')
  await main.click('Log In')
  await sees('Login failed.')
  await restore()

  await goto('/signup')
  await tick()
  await fill({ 'Full Name': 'Robin Tester', Email: newEmail(), Password: PASSWORD, 'Confirm Password': PASSWORD })
  await failWith('**/auth/v1/signup*')
  await main.click('Sign Up')
  await sees('Something went wrong.')

  await goto('/verify-email')
  await click('Resend verification email')
  await sees('No email found to resend to.')
})

walk('§8 errors of replies, and of a screen that cannot be shown', async ({ open, person, allow }) => {
  allow(/^40[04] (POST|GET) \/api\/messages/, /net::ERR_FAILED/, /^console: /, /^exception: /)
  const [owner, sender] = [await person(), await person()]
  const [remaining, sold] = [await owner.registerVehicle(), await owner.registerVehicle()]
  await sender.sendMessage(remaining.plate, 'E2E: 42')
  await sender.sendMessage(sold.plate, 'E2E: 43')
  const screen = await open(owner)
  const { page, goto, sees, failWith, restore } = screen
  await page.route('**/api/live', (route) => route.abort()) // does not learn of the deletion
  await goto('/dashboard/messages')
  const reply = screen.item('E2E: 42')
  await reply.fill({ Reply: 'E2E: 44' })
  await failWith('**/reply', SERVER_ERROR)
  await reply.click('Send reply')
  await sees('Reply failed', data(SERVER_ERROR.error))
  await restore()
  const gone = screen.item('E2E: 43')
  await gone.fill({ Reply: 'E2E: 45' })
  await owner.deleteVehicle(sold)
  await gone.click('Send reply')
  await sees('Could not load vehicle')

  // a response that this release does not know
  await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
  await goto('/dashboard')
  await sees(heading('Something went wrong'))
})

walk('§8 an email that the mail server refuses', async ({ open, person, admin, product }) => {
  const [operator, owner] = [await admin(), await person()]
  product.rejectMailTo(owner.email)
  const { plate } = await owner.registerVehicle()
  const screen = await open(operator)
  await screen.goto(`/admin/vehicles?plate=${plate}`)
  await screen.click('Approve')
  await screen.sees('Vehicle approved; dispute cleared & peer deleted')
  await expect(async () => {
    await screen.goto('/admin/audit-log')
    await expect(screen.find(filled('Email send failed: {response}', { response: '550' }))).toBeVisible({
      timeout: 2_000,
    })
  }).toPass()
})
