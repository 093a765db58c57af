import { SERVER_ERROR } from '../support/page-objects.ts'
import { newPlate } from '../support/people.ts'
import { alertdialog, button, expect, field, filled, heading, link, type Screen, tab, walk } from './walk.ts'

// Requirements §2, Signed-in: the owner's pages, and /send. Somebody who signed up a minute ago registers four vehicles and gets
// four messages.

/** Returns the navigation of signed-in pages. */
const navigation = (screen: Screen) => screen.part(screen.page.getByRole('banner'))

walk('§2 the layout, the dashboard, messages and sending', async ({ open, person }) => {
  const [owner, sender] = [await person({ fullName: 'Maya Owner' }), await person({ fullName: 'Sam Sender' })]
  const plates = [newPlate(), newPlate(), newPlate(), newPlate()]
  for (const plate of plates) await owner.registerVehicle(plate)

  // §2 /send, by somebody who has nothing else
  const writing = await open(sender)
  await writing.goto('/send')
  await writing.sees(
    heading('Send a Secure Message'),
    'Message the owner of any vehicle registered with PlateNote. All you need is the plate. You stay anonymous.',
    field('License Plate'),
    field('Message'),
    button('Send Message'),
    heading('How it works'),
    'Enter the vehicle’s licence plate.',
    'Type your message, and add a photo if it helps.',
    'The message is delivered to the owner, encrypted in transit and at rest.',
    'The owner’s personal information stays private, and so does yours.',
    'Add a photo',
  )
  await expect(writing.find(field('Message'))).toHaveAttribute('rows', '5') // §9
  await writing.fill({ 'License Plate': plates[0]!, Message: 'E2E: 41' })
  await writing.hold('**/api/messages')
  await writing.click('Send Message')
  await writing.sees(button('Sending…'))
  writing.release()
  await writing.sees(heading('Message sent'))
  for (const text of ['E2E: 42', 'E2E: 43', 'E2E: 44']) await sender.sendMessage(plates[0]!, text)

  const screen = await open(owner)
  const { page, goto, sees, leads, isAt, openTab } = screen
  await goto('/dashboard')
  const nav = navigation(screen)
  await nav.sees(
    ...['Dashboard', 'Notifications', 'My Vehicles', 'Messages', 'View profile'].map((name) => link(name)),
    'Maya Owner',
    button('Sign out'),
  )
  await expect(nav.find(link('Notifications'))).toContainText('4')
  await nav.leads('Dashboard', '/dashboard')
  await nav.leads('Notifications', '/dashboard/notifications')
  await nav.leads('My Vehicles', '/dashboard/vehicles')
  await nav.leads('Messages', '/dashboard/messages')
  await nav.leads('View profile', '/dashboard/profile')
  await expect(nav.find(link('{product}, home page', { product: 'PlateNote' }))).toHaveAttribute('href', /^\/(fr)?$/)

  for (const title of ['Registered Vehicles', 'Total Messages']) {
    const card = screen.part(screen.find(link(title)))
    await card.sees(title, '4', filled('+{count} this month', { count: '4' }))
  }
  // §9: three of each, the newest
  const recent = page.getByRole('main').getByRole('listitem').filter({ hasText: 'E2E:' })
  await expect(recent).toHaveText([/E2E: 44/, /E2E: 43/, /E2E: 42/])
  await screen.part(recent.first()).sees('Unread')
  const latest = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Honda Civic' })
  await expect(latest).toHaveCount(3)
  for (const [i, plate] of plates.slice(1).reverse().entries()) {
    await expect(latest.nth(i).getByRole('img')).toHaveAccessibleName(new RegExp(plate))
    await screen.part(latest.nth(i)).sees('Active')
  }
  await leads('Add Vehicle', '/dashboard/vehicle/new')
  await leads('Send Message', '/send')

  await goto('/dashboard/messages')
  await sees(tab('Received'), tab('Sent'), 'E2E: 41')
  await openTab('Sent')
  await isAt('/dashboard/messages?view=sent')
  await sees('You haven’t sent any messages')
  await openTab('Received')
  await isAt('/dashboard/messages?view=received')
})

walk('§2 notifications and vehicles', async ({ open, audit, person, admin, allow }) => {
  allow(/^400 GET \/api\/notifications/)
  const LIST = '**/api/notifications'
  const [operator, owner, other] = [await admin(), await person(), await person()]
  const newcomer = await open(await person())
  await newcomer.hold(LIST)
  await newcomer.goto('/dashboard/notifications')
  await newcomer.sees('Loading notifications…')
  newcomer.release()
  await newcomer.sees('No notifications.')

  const [approved, rejected, disputed, mine] = [
    await owner.registerVehicle(),
    await owner.registerVehicle(),
    await owner.registerVehicle(),
    await owner.registerVehicle(),
  ]
  const theirs = await other.registerVehicle()
  const id = await owner.sendMessage(theirs.plate, 'E2E: 42')
  await operator.approveVehicle(approved)
  await operator.rejectVehicle(rejected, 'E2E')
  await operator.approveVehicle(await other.registerVehicle(disputed.plate))
  await other.replyTo(id, 'E2E: 43')

  const screen = await open(owner)
  const { page, goto, sees, click, isAt, failWith, restore, confirm } = screen
  await goto('/dashboard/notifications')
  const items = page.getByRole('main').getByRole('listitem')
  const item = (text: string, plate: string) => screen.part(items.filter({ has: screen.find(filled(text, { plate })) }))
  await sees(heading('Notifications'), button('Mark all read'))
  const approval = item('Your vehicle ({plate}) was approved', approved.plate)
  await approval.sees(button('Mark read'), 'Unread')
  for (const [text, vehicle] of [
    ['Your vehicle ({plate}) was approved', approved],
    ['Your vehicle ({plate}) was rejected', rejected],
    ['Your vehicle ({plate}) was deleted', disputed],
  ] as const) {
    const notice = screen.find(link(text, { plate: vehicle.plate }))
    await expect(notice).toHaveAttribute('href', new RegExp(`/dashboard/vehicles#${vehicle.id}$`))
  }
  await screen.leads('You’ve got a new message reply', `/dashboard/messages?view=sent#${id}`)

  // §9: how a date is written
  const time = page.getByRole('main').locator('time').first()
  await expect(time).toHaveText(/^[A-Z][a-z]{2} [1-9]\d?, \d{4} ([1-9]|1[0-2]):[0-5]\d [AP]M$/)

  // live: nothing is reloaded
  const received = await other.sendMessage(mine.plate, 'E2E: 44')
  const message = screen.find(link('New message for {plate}', { plate: mine.plate }))
  await expect(message).toHaveAttribute('href', new RegExp(`/dashboard/messages\\?view=received#${received}$`))
  const badge = navigation(screen).find(link('Notifications'))
  const unread = await items.count()
  await expect(badge).toContainText(String(unread))

  // one, back again, and all; what is read is dimmed and has another left border
  const first = screen.part(items.first())
  const border = () => items.first().evaluate((one) => getComputedStyle(one).borderLeftColor)
  const colour = () => items.first().evaluate((one) => getComputedStyle(one).color)
  const [unreadBorder, unreadColour] = [await border(), await colour()]
  await first.click('Mark read')
  await expect(badge).toContainText(String(unread - 1))
  await expect.poll(border).not.toBe(unreadBorder)
  await expect.poll(colour).not.toBe(unreadColour)
  await first.click('Mark unread')
  await expect(badge).toContainText(String(unread))
  await expect.poll(border).toBe(unreadBorder)
  await click('Mark all read')
  await expect(screen.all(button('Mark unread'))).toHaveCount(unread)
  await expect(badge).not.toContainText(/\d/)
  await failWith(LIST, SERVER_ERROR)
  await goto('/dashboard/notifications')
  await sees(SERVER_ERROR.error)
  await restore()

  await goto(`/dashboard/vehicles#${approved.id}`)
  await sees(heading('My Vehicles'))
  await isAt(`/dashboard/vehicles#${approved.id}`)
  await expect(page.locator(`[id="${approved.id}"]`)).toBeFocused()
  const card = screen.part(page.locator(`[id="${mine.id}"]`))
  await card.sees('Active', 'Honda Civic 2020')
  await card.click('More actions')
  await audit(page, 'menu of a vehicle')
  await card.click('Delete')
  await sees(alertdialog('Delete {plate}?', { plate: mine.plate }))
  await audit(page, 'vehicle deletion')
  await confirm('Cancel')
  await card.sees('Active')
})

walk('§2 the profile', async ({ open, audit, person, product, allow }) => {
  allow(/^40[013] (GET|POST) \/(api|auth)\//)
  const owner = await person({ fullName: 'Maya Owner' })
  const screen = await open(owner)
  const { page, goto, sees, isAt, click, fill, confirm, find } = screen
  await goto('/dashboard')
  await screen.follow('View profile')
  await isAt('/dashboard/profile')
  await sees(field('Full Name'), heading('Delete account'))
  await expect(find(field('Email'))).toHaveValue(owner.email)
  await expect(find(field('Email'))).not.toBeEditable() // §5
  await fill({ 'Full Name': ' ' })
  await click('Save')
  await sees('Please enter your full name.')
  await fill({ 'Full Name': 'Alix Gagnon' })
  await click('Save')
  await sees('Profile updated!')
  await navigation(screen).sees('Alix Gagnon')
  await click('Send password reset email')
  await sees('Password reset email sent!')
  await product.inbox.to(owner.email, 2)

  // §4: dialog, delete, sign out, go to /
  await click('Delete my account')
  await sees(alertdialog('Delete your account?'))
  await audit(page, 'account deletion')
  await confirm('Cancel')
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeFocused()
  const tab = await page.context().newPage()
  await tab.goto('/dashboard/vehicles')
  const elsewhere = await open(owner)
  await elsewhere.goto('/dashboard')
  for (const one of [tab, elsewhere.page]) await expect(one.getByRole('heading', { level: 1 })).toBeVisible()
  await click('Delete my account')
  await confirm('Delete my account')
  await sees('Account deleted.')
  await isAt('/')
  // it leads out of every tab and browser
  await expect(tab).toHaveURL(/\/login\?next=%2Fdashboard%2Fvehicles$/)
  await elsewhere.isAt('/login?next=%2Fdashboard')
  await navigation(screen).sees(link('Log In'), link('Sign Up'))
})
