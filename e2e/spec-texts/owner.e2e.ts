import { PROVINCES } from '#contract/provinces.ts'
import { makeAdmin } from '../admins.ts'
import { test } from '../fixtures.ts'
import { newPlate } from '../people.ts'
import { button, data, field, filled, heading, link, option, scene, tab } from './scene.ts'

// requirements §2 (Signed-in), §4, §5, §8 and §9: how it comes about, and what then stands there.

test.describe.configure({ mode: 'parallel' })

const FAULT = { error: 'E2E: 400', code: 'unexpected' } // the same in both languages

scene('the navigation and /dashboard', async ({ person, open }) => {
  const [owner, sender] = [await person(), await person()]
  const { plate } = await owner.registers()
  await sender.sends(plate, 'E2E: 42')
  const { at } = await open(owner)
  return [
    [
      at('/dashboard'),
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

scene('/dashboard/notifications', async ({ person, open, product, allow }) => {
  allow(/^400 GET \/api\/notifications/)
  const [admin, owner, other] = [await makeAdmin(product, await person()), await person(), await person()]
  const [approved, rejected, deleted] = [await owner.registers(), await owner.registers(), await owner.registers()]
  await admin.approves(approved)
  await admin.rejects(rejected, 'E2E')
  const theirs = await other.registers()
  const { at, waits, goesOn, fails, mended, press } = await open(owner)
  const newcomer = await open(await person())
  await admin.approves(await other.registers(deleted.plate)) // the other side of a dispute
  await other.replies(await owner.sends(theirs.plate, 'E2E: 42'), 'E2E: 43')
  await other.sends(approved.plate, 'E2E: 44')
  const LIST = '**/api/notifications'
  return [
    [[newcomer.waits(LIST), newcomer.at('/dashboard/notifications')], 'Loading notifications…'],
    [newcomer.goesOn, 'No notifications.'],
    [[waits(LIST), at('/dashboard/notifications')], 'Loading notifications…'],
    [
      goesOn,
      heading('Notifications'),
      button('Mark all read'),
      button('Mark read'),
      filled('New message for {plate}', { plate: approved.plate }),
      "You've got a new message reply",
      filled('Your vehicle ({plate}) was approved', { plate: approved.plate }),
      filled('Your vehicle ({plate}) was rejected', { plate: rejected.plate }),
      filled('Your vehicle ({plate}) was deleted', { plate: deleted.plate }),
    ],
    [press('Mark all read'), button('Mark unread')],
    [[mended, fails(LIST, FAULT), at('/dashboard/notifications')], data(FAULT.error)],
  ]
})

scene('/dashboard/vehicles', async ({ person, open, product, allow }) => {
  allow(/^400 DELETE \/api\/vehicles/)
  const [admin, owner, other] = [await makeAdmin(product, await person()), await person(), await person()]
  await admin.approves(await owner.registers())
  await admin.rejects(await owner.registers(), 'E2E')
  await other.registers((await owner.registers()).plate)
  const { plate } = await owner.registers()
  const { at, press, fails, mended } = await open(owner)
  return [
    [
      at('/dashboard/vehicles'),
      heading('My Vehicles'),
      ...['Pending Verification', 'Active', 'Verified', 'Rejected'],
      filled('Verified {product} User', { product: 'PlateNote' }),
    ],
    [press('Delete'), heading('Delete {plate}?', { plate }), button('Delete vehicle')],
    [
      [fails('**/api/vehicles/*', FAULT), press('Delete vehicle')],
      filled('Delete failed: {reason}', { reason: FAULT.error }),
    ],
    [[mended, press('Delete'), press('Delete vehicle')], 'Vehicle deleted'],
  ]
})

scene('/dashboard/vehicle/new', async ({ person, open, allow }) => {
  allow(/^(401|500) POST \/register-plate/, /^401 GET \/api\//)
  const [owner, other] = [await person(), await person()]
  const taken = await other.registers(newPlate(), 'Quebec')
  const { at, type, choose, press, fails, mended, does, page } = await open(owner)
  const form = [choose({ Make: 'Honda' }), choose({ Model: 'Civic' }), choose({ Year: '1980', Province: 'Quebec' })]
  return [
    [
      at('/dashboard/vehicle/new'),
      ...['License Plate', 'Make', 'Model', 'Year', 'Province'].map((name) => field(name)),
      ...PROVINCES.map((name) => option(name)),
    ],
    [[type({ 'License Plate': 'AB?C' }), press('Register vehicle')], '1 to 8 characters, no spaces'],
    [
      [type({ 'License Plate': newPlate() }), ...form, fails('**/register-plate'), press('Register vehicle')],
      'Registration failed',
    ],
    [[mended, press('Register vehicle')], 'Plate registered successfully.'],
    [
      [at('/dashboard/vehicle/new'), type({ 'License Plate': taken.plate }), ...form, press('Register vehicle')],
      'Conflict detected—verification requested via email.',
      'Pending Verification',
    ],
    [
      [
        at('/dashboard/vehicle/new'),
        type({ 'License Plate': newPlate() }),
        ...form,
        // what a browser does that clears its data: no page is told
        does(() => page.evaluate('localStorage.clear()')),
        press('Register vehicle'),
      ],
      'You must be signed in.',
    ],
  ]
})

scene('/dashboard/messages', async ({ person, open, allow }) => {
  allow(/^40[04] (POST|GET) \/api\/messages/, /net::ERR_FAILED/)
  const [owner, sender] = [await person(), await person()]
  const [kept, gone] = [await owner.registers(), await owner.registers()]
  await sender.sends(kept.plate, 'E2E: 42')
  const id = await sender.sends(gone.plate, 'E2E: 43')
  const { at, type, press, turnTo, fails, mended, does, page } = await open(owner)
  const elsewhere = await open(owner)
  const deaf = does(() => page.route('**/api/live', (route) => route.abort())) // hears nothing of the deletion
  return [
    [
      [deaf, at(`/dashboard/messages?view=received#${id}`)],
      tab('Received'),
      tab('Sent'),
      button('Mark unread'),
      field('Reply'),
    ],
    [press('Mark unread'), button('Mark read'), 'Unread'],
    [[type({ Reply: 'E2E: 44' }), fails('**/reply', FAULT), press('Send reply')], 'Reply failed'],
    [[mended, elsewhere.at('/dashboard/vehicles'), elsewhere.press('Delete')], button('Delete vehicle')],
    [elsewhere.press('Delete vehicle'), 'Vehicle deleted'],
    [press('Send reply'), 'Could not load vehicle'],
    [[at('/dashboard/messages'), type({ Reply: 'E2E: 45' }), press('Send reply')], 'Reply sent!', 'Your reply'],
    [turnTo('Sent'), 'You have not sent any messages'],
  ]
})
