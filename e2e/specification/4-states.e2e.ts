import { SERVER_ERROR } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'
import { alertdialog, button, expect, field, filled, heading, link, type Screen, walk } from './walk.ts'

// Requirements §4: a dispute from the second registration to the verified owner, and a message from unread to answered. Everybody
// sees the change on the page that is open.

/** Fills in the form of /dashboard/vehicle/new, and submits it. */
async function register({ goto, fill, select, find }: Screen, plate: string) {
  await goto('/dashboard/vehicle/new')
  await fill({ 'License Plate': plate })
  await select({ Make: 'Honda' })
  await select({ Model: 'Civic', Year: '2020', Province: 'Quebec' })
  // by keyboard: the hint about an unusual plate may come at that moment, and would move the button away from a press
  await find(button('Register vehicle')).press('Enter')
}

/** Returns the card of the only vehicle with this plate. */
const vehicleCard = (screen: Screen, plate: string) =>
  screen.part(
    screen.page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: screen.page.getByRole('img', { name: plate }) })
      .first(),
  )

async function send({ goto, fill, click }: Screen, plate: string, content: string) {
  await goto('/send')
  await fill({ 'License Plate': plate, Message: content })
  await click('Send Message')
}

walk('§4 a plate that two people register', async ({ open, audit, person, admin, allow }) => {
  allow(/^(404|409) POST \/api\/messages$/)
  const plate = newPlate()
  const [operator, holder, challenger, sender] = [await admin(), await person(), await person(), await person()]
  const first = await open(holder)
  await register(first, plate)
  await first.sees('Plate registered successfully.')
  await first.follow('Go to My Vehicles') // past what is offered with the first one
  await expect(first.page).toHaveURL(/\/dashboard\/vehicles#[0-9a-f-]{36}$/)
  await vehicleCard(first, plate).sees('Active')

  const second = await open(challenger)
  await register(second, plate)
  await second.sees('Conflict detected—verification requested via email.')
  for (const [screen, title] of [
    [first, 'Someone else has registered this plate'],
    [second, 'Another account already has this plate'],
  ] as const) {
    await vehicleCard(screen, plate).sees('Pending Verification', title)
    await vehicleCard(screen, plate).follow('See what to do')
    await screen.sees(title)
    await screen.goto('/dashboard/vehicles')
  }
  await first.goto('/dashboard')
  await expect(first.find(link('Registered Vehicles'))).toContainText('0') // active or verified ones count
  await first.sees('Pending Verification')
  const writing = await open(sender)
  await send(writing, plate, 'E2E: 42')
  await writing.sees('That vehicle is not active yet.')

  // the operator decides for the second
  const desk = await open(operator)
  await desk.goto(`/admin/vehicles?plate=${plate}`)
  const claim = desk.part(desk.page.getByRole('main').getByRole('listitem').filter({ hasText: challenger.email }))
  await claim.sees('Pending Verification')
  await claim.click('Approve')
  await desk.sees(alertdialog('Approve {plate} for this owner?', { plate }))
  await audit(desk.page, 'approval')
  await desk.confirm('Approve')
  await desk.sees('Vehicle approved; dispute cleared & peer deleted')
  await claim.sees('Verified')
  await desk.misses(holder.email)
  await vehicleCard(second, plate).sees('Verified', filled('Verified {product} User', { product: 'PlateNote' }))
  await second.misses('Another account already has this plate')
  await first.goto('/dashboard/notifications')
  await first.find(link('Your vehicle ({plate}) was deleted', { plate })).click()
  await first.sees('No vehicles yet', 'The vehicle you’re looking for is no longer in your list.')
  await send(writing, plate, 'E2E: 43')
  await writing.sees(heading('Message sent'))
})

// §8: what is said when a call fails. The texts of refused input and of failed account pages are in §5, those of success on the way
// through §2 and §4, those of calls in server/src/test/specification.

walk(
  '§4 and §8 a message, from unread to its one reply, and a screen that cannot be shown',
  async ({ open, audit, person, allow }) => {
    allow(/^40[04] (POST|GET) \/api\/messages/, /net::ERR_FAILED/, /^console: /, /^exception: /)
    const [owner, sender] = [await person({ fullName: 'Maya Owner' }), await person({ fullName: 'Sam Sender' })]
    const [remaining, sold] = [await owner.registerVehicle(), await owner.registerVehicle()]
    const kept = await sender.sendMessage(remaining.plate, 'E2E: 42')
    const lost = await sender.sendMessage(sold.plate, 'E2E: 43')
    const screen = await open(owner)
    const { page, goto, openLink, sees, click, failWith, restore } = screen
    await page.route('**/api/live', (route) => route.abort()) // does not learn of the deletion
    // once it is marked read, nothing else is asked of the message
    const opened = async (id: string) => {
      const marked = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await openLink(`/dashboard/messages?view=received#${id}`)
      await marked
    }
    const received = screen.part(page.getByRole('article'))
    await opened(kept)
    await received.click('Mark unread')
    await received.sees('Unread', button('Mark read'), field('Reply'))
    await expect(received.find(field('Reply'))).toHaveAttribute('rows', '3') // §9
    await received.click('Send reply')
    await received.sees('Please write a reply.')
    await audit(page, 'refused reply')
    await received.fill({ Reply: ' \n ' })
    await received.click('Send reply')
    await received.sees('Please write a reply.')
    await received.fill({ Reply: 'E2E: 44' })
    await failWith('**/reply', SERVER_ERROR)
    await received.click('Send reply')
    await sees('Reply failed', SERVER_ERROR.error)
    await restore()
    await received.click('Send reply')
    await sees('Reply sent!')
    await received.sees('Your reply', 'E2E: 44')
    await received.misses(field('Reply'), button('Send reply'))
    await expect(page.locator('body')).not.toContainText('Sam Sender')
    await opened(lost)
    await received.sees('E2E: 43')
    await received.fill({ Reply: 'E2E: 45' })
    await owner.deleteVehicle(sold)
    await received.click('Send reply')
    await sees('Could not load vehicle')

    // only the recipient replies, and only on the Received tab
    const writing = await open(sender)
    await writing.goto(`/dashboard/messages?view=sent#${kept}`)
    const sent = writing.part(writing.page.getByRole('article'))
    await sent.sees('The owner replied', 'E2E: 44')
    await sent.misses(field('Reply'))
    await expect(writing.page.locator('body')).not.toContainText('Maya')

    // a response that this release does not know
    await page.route('**/api/dashboard', (route) => route.fulfill({ json: { surprise: true } }))
    await goto('/dashboard')
    await sees(heading('Something went wrong'))
    await page.unroute('**/api/dashboard')
    await click('Reload the page')
    await sees(link('Add Vehicle'))
  },
)
