import { PROVINCES } from '#contract/provinces.ts'
import { grantAdmin } from '../../support/admins.ts'
import { test } from '../../support/fixtures.ts'
import { newPlate } from '../../support/people.ts'
import { SERVER_ERROR } from '../../support/test-data.ts'
import { button, data, field, filled, heading, link, option, tab, walkthrough } from './walkthrough.ts'

// requirements §2 (Signed-in), §4, §5, §8 and §9: how each text is reached, and what must be readable then.

test.describe.configure({ mode: 'parallel' })

walkthrough('the navigation and /dashboard', async ({ person, open }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registerVehicle()
  await sender.sendMessage(plate, 'E2E: 42')
  const { goto } = await open(owner)
  return [
    [
      goto('/dashboard'),
      ...['Dashboard', 'Notifications', 'My Vehicles', 'Messages', 'View profile'].map((name) => link(name)),
      button('Sign out'),
      'Registered Vehicles',
      'Total Messages',
      filled('+{count} this month', { count: '1' }),
      'Unread',
      'Active',
      link('Add Vehicle'),
      link('Send Message'),
    ],
  ]
})

walkthrough('/dashboard/notifications', async ({ person, open, product, allow }) => {
  allow(/^400 GET \/api\/notifications/)
  const [admin, owner, other] = [await grantAdmin(product, await person()), await person(), await person()]
  const [approved, rejected, deleted] = [
    await owner.registerVehicle(),
    await owner.registerVehicle(),
    await owner.registerVehicle(),
  ]
  await admin.approveVehicle(approved)
  await admin.rejectVehicle(rejected, 'E2E')
  const theirs = await other.registerVehicle()
  const { goto, hold, release, failWith, restore, click } = await open(owner)
  const newcomer = await open(await person())
  await admin.approveVehicle(await other.registerVehicle(deleted.plate)) // the other side of a dispute
  await other.replyTo(await owner.sendMessage(theirs.plate, 'E2E: 42'), 'E2E: 43')
  await other.sendMessage(approved.plate, 'E2E: 44')
  const LIST = '**/api/notifications'
  return [
    [[newcomer.hold(LIST), newcomer.goto('/dashboard/notifications')], 'Loading notifications…'],
    [newcomer.release, 'No notifications.'],
    [[hold(LIST), goto('/dashboard/notifications')], 'Loading notifications…'],
    [
      release,
      heading('Notifications'),
      button('Mark all read'),
      button('Mark read'),
      filled('New message for {plate}', { plate: approved.plate }),
      "You've got a new message reply",
      filled('Your vehicle ({plate}) was approved', { plate: approved.plate }),
      filled('Your vehicle ({plate}) was rejected', { plate: rejected.plate }),
      filled('Your vehicle ({plate}) was deleted', { plate: deleted.plate }),
    ],
    [click('Mark all read'), button('Mark unread')],
    [[restore, failWith(LIST, SERVER_ERROR), goto('/dashboard/notifications')], data(SERVER_ERROR.error)],
  ]
})

walkthrough('/dashboard/vehicles', async ({ person, open, product, allow }) => {
  allow(/^400 DELETE \/api\/vehicles/)
  const [admin, owner, other] = [await grantAdmin(product, await person()), await person(), await person()]
  await admin.approveVehicle(await owner.registerVehicle())
  await admin.rejectVehicle(await owner.registerVehicle(), 'E2E')
  await other.registerVehicle((await owner.registerVehicle()).plate)
  const { plate } = await owner.registerVehicle()
  const { goto, click, failWith, restore } = await open(owner)
  return [
    [
      goto('/dashboard/vehicles'),
      heading('My Vehicles'),
      ...['Pending Verification', 'Active', 'Verified', 'Rejected'],
      filled('Verified {product} User', { product: 'PlateNote' }),
    ],
    [click('Delete'), heading('Delete {plate}?', { plate }), button('Delete vehicle')],
    [
      [failWith('**/api/vehicles/*', SERVER_ERROR), click('Delete vehicle')],
      filled('Delete failed: {reason}', { reason: SERVER_ERROR.error }),
    ],
    [[restore, click('Delete'), click('Delete vehicle')], 'Vehicle deleted'],
  ]
})

walkthrough('/dashboard/vehicle/new', async ({ person, open, allow }) => {
  allow(/^(401|500) POST \/register-plate/, /^401 GET \/api\//)
  const [owner, other] = [await person(), await person()]
  const taken = await other.registerVehicle(newPlate(), 'Quebec')
  const { goto, fill, select, click, failWith, restore, perform, page } = await open(owner)
  const form = [select({ Make: 'Honda' }), select({ Model: 'Civic' }), select({ Year: '1980', Province: 'Quebec' })]
  return [
    [
      goto('/dashboard/vehicle/new'),
      ...['License Plate', 'Make', 'Model', 'Year', 'Province'].map((name) => field(name)),
      ...PROVINCES.map((name) => option(name)),
    ],
    [[fill({ 'License Plate': 'AB?C' }), click('Register vehicle')], '1 to 8 characters, no spaces'],
    [
      [fill({ 'License Plate': newPlate() }), ...form, failWith('**/register-plate'), click('Register vehicle')],
      'Registration failed',
    ],
    [[restore, click('Register vehicle')], 'Plate registered successfully.'],
    [
      [goto('/dashboard/vehicle/new'), fill({ 'License Plate': taken.plate }), ...form, click('Register vehicle')],
      'Conflict detected—verification requested via email.',
      'Pending Verification',
    ],
    [
      [
        goto('/dashboard/vehicle/new'),
        fill({ 'License Plate': newPlate() }),
        ...form,
        // as when a browser clears its data: no page is notified
        perform(() => page.evaluate('localStorage.clear()')),
        click('Register vehicle'),
      ],
      'You must be signed in.',
    ],
  ]
})

walkthrough('/dashboard/messages', async ({ person, open, allow }) => {
  allow(/^40[04] (POST|GET) \/api\/messages/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const [remaining, deleted] = [await owner.registerVehicle(), await owner.registerVehicle()]
  await sender.sendMessage(remaining.plate, 'E2E: 42')
  const id = await sender.sendMessage(deleted.plate, 'E2E: 43')
  const { goto, fill, click, openTab, failWith, restore, perform, page } = await open(owner)
  const elsewhere = await open(owner)
  const blockLiveStream = perform(() => page.route('**/api/live', (route) => route.abort())) // does not receive the deletion
  return [
    [
      [blockLiveStream, goto(`/dashboard/messages?view=received#${id}`)],
      tab('Received'),
      tab('Sent'),
      button('Mark unread'),
      field('Reply'),
    ],
    [click('Mark unread'), button('Mark read'), 'Unread'],
    [[fill({ Reply: 'E2E: 44' }), failWith('**/reply', SERVER_ERROR), click('Send reply')], 'Reply failed'],
    [[restore, elsewhere.goto('/dashboard/vehicles'), elsewhere.click('Delete')], button('Delete vehicle')],
    [elsewhere.click('Delete vehicle'), 'Vehicle deleted'],
    [click('Send reply'), 'Could not load vehicle'],
    [[goto('/dashboard/messages'), fill({ Reply: 'E2E: 45' }), click('Send reply')], 'Reply sent!', 'Your reply'],
    [openTab('Sent'), 'You haven’t sent any messages'],
  ]
})
