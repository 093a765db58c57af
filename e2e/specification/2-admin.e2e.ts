import { PROVINCES } from '#contract/provinces.ts'
import { setUpApp } from '../support/authenticators.ts'
import { SERVER_ERROR } from '../support/page-objects.ts'
import { newEmail, newPlate, PASSWORD } from '../support/people.ts'
import {
  alertdialog,
  button,
  dialog,
  expect,
  field,
  filled,
  grantByCommand,
  heading,
  option,
  placeholder,
  walk,
} from './walk.ts'

// Requirements §2, Admin: the way in, the figures, users and vehicles. An operator makes the first admin.

walk('§2 the admin log-in, the layout and the dashboard', async ({ open, person, product, allow }) => {
  allow(/^500 POST \/auth\/v1\/token/, /^400 GET \/api\/admin\/stats/, /^403 (GET|POST) \/(api\/admin|rest\/v1\/rpc)\//)
  const [admin, owner] = [await person({ fullName: 'Robin Admin' }), await person({ fullName: 'Maya Owner' })]
  await grantByCommand(product, admin)
  const saskatchewan = await owner.registerVehicle(newPlate(), 'Saskatchewan')

  const screen = await open()
  const { page, goto, sees, isAt, fill, click, select, failWith, restore, hold, release } = screen
  await goto('/admin/users')
  await sees(field('Email'), field('Password'), button('Sign in'))
  const signIn = async (email: string) => {
    await fill({ Email: email, Password: PASSWORD })
    await click('Sign in')
  }
  await failWith('**/auth/v1/token*')
  await signIn(admin.email)
  await sees('Login failed.')
  await restore()
  await hold('**/auth/v1/token*')
  await signIn(admin.email)
  await sees(button('Signing in…'))
  release()
  // an admin has a second factor in production (decision second-factor), and then returns to where they wanted to go
  allow(/^400 POST \/auth\/v1\/factors/) // the first one takes a code
  await setUpApp(page, { product, email: admin.email })
  await isAt('/admin/users')

  const nav = screen.part(page.getByRole('banner'))
  await nav.leads('Dashboard', '/admin')
  await nav.leads('Users', '/admin/users')
  await nav.leads('Vehicles', '/admin/vehicles')
  await nav.leads('View profile', '/admin/profile')
  await nav.sees('Robin Admin', button('Sign out'))
  await nav.follow('Dashboard')
  await isAt('/admin')
  const main = screen.part(page.getByRole('main'))
  const figure = page.getByRole('region', { name: 'Registered Vehicles' }).getByRole('status')
  const total = (await figure.textContent())!.replace(/\D/g, '')
  await sees(
    heading('Registered Vehicles'),
    filled('{count} in {place}', { count: total, place: 'All Provinces' }),
    ...['All Provinces', ...PROVINCES].map((name) => option(name)),
  )
  await main.leads('Users', '/admin/users')
  await main.leads('Vehicles', '/admin/vehicles')
  await select({ Province: 'Saskatchewan' })
  await expect(figure).toHaveText(/(?<!\d)[1-9]/)
  const before = Number((await figure.textContent())!.replace(/\D/g, ''))
  await sees(filled('{count} in {place}', { count: String(before), place: 'Saskatchewan' }))
  // §6: active and verified ones are counted
  await owner.deleteVehicle(saskatchewan)
  await goto('/admin')
  await select({ Province: 'Saskatchewan' })
  await sees(filled('{count} in {place}', { count: String(before - 1), place: 'Saskatchewan' }))
  await failWith('**/api/admin/stats', SERVER_ERROR)
  await goto('/admin')
  await sees('Error loading stats')
})

walk('§2 users and vehicles of the admin area', async ({ open, audit, person, admin, product }) => {
  const [operator, owner, leaver] = [
    await admin(),
    await person({ fullName: 'Maya Owner' }),
    await person({ fullName: 'Leo Leaver' }),
  ]
  const { plate } = await owner.registerVehicle()
  const nameless = newEmail('nameless')
  const body = JSON.stringify({ email: nameless, password: PASSWORD })
  const headers = { 'content-type': 'application/json' }
  const { status } = await fetch(`${product.url}/auth/v1/signup`, { method: 'POST', headers, body })
  expect(status).toBe(200)
  const screen = await open(operator)
  const { page, goto, sees, misses, fill, select, click, confirm, find } = screen

  await goto('/admin/users')
  await sees(
    heading('Users'),
    placeholder('Search by email or name…'),
    ...['Email', 'Name', 'Actions'],
    leaver.email,
    owner.email,
  )
  await screen.item(nameless).sees('—')
  await screen.item(operator.email).misses(button('Delete'))
  await page.getByPlaceholder('Search by email or name…').fill('leo leaver')
  const row = screen.item(leaver.email)
  await misses(owner.email)
  await row.sees('Leo Leaver')
  await row.click('Delete')
  await audit(page, 'deletion of an account')
  await sees(
    alertdialog('Confirm deletion'),
    'Are you sure you want to delete this user? This action cannot be undone.',
  )
  await confirm('Delete user')
  await sees('User deleted', 'No users found.')

  await goto('/admin/vehicles')
  await sees(
    ...['Plate', 'Owner email', 'Province', 'Status'].map((name) => field(name)),
    // §9
    ...['All Statuses', 'Active (pre-verify)', 'Pending Verification', 'Rejected', 'Verified'].map((name) =>
      option(name),
    ),
    ...['All Provinces', ...PROVINCES].map((name) => option(name)),
  )
  await expect(find(field('Status')).getByRole('option')).toHaveCount(5)
  await expect(find(field('Province')).getByRole('option')).toHaveCount(11)
  await fill({ Plate: plate.toLowerCase() })
  const card = screen.part(page.getByRole('main').getByRole('listitem').filter({ hasText: owner.email }))
  await card.sees(
    'Honda Civic 2020',
    'Ontario',
    'Active (pre-verify)',
    ...['Approve', 'Reject', 'Delete'].map((name) => button(name)),
  )
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  await fill({ 'Owner email': leaver.email })
  await sees('No vehicles match your filters.')
  await fill({ 'Owner email': owner.email.slice(0, -4).toUpperCase() })
  await card.sees(button('Approve'))
  await select({ Status: 'verified' })
  await sees('No vehicles match your filters.')
  await select({ Status: '', Province: 'Manitoba' })
  await sees('No vehicles match your filters.')
  await select({ Province: '' })

  await card.click('Approve')
  await sees('Vehicle approved; dispute cleared & peer deleted')
  await card.sees('Verified')
  await card.misses(button('Approve'))

  await card.click('Reject')
  await sees(dialog('Reject {plate}', { plate }))
  await audit(page, 'rejection')
  await expect(find(field('Reason'))).toHaveAttribute('rows', '4')
  await expect(find(button('Send Rejection'))).toBeDisabled()
  await fill({ Reason: ' \n ' })
  await expect(find(button('Send Rejection'))).toBeDisabled()
  await fill({ Reason: 'The papers are of another car.' })
  await click('Send Rejection')
  await sees('Vehicle rejected & email sent')
  await card.sees('Rejected')
  await card.misses(button('Reject'))

  await card.click('Delete')
  await sees(alertdialog('Delete {plate}? This cannot be undone.', { plate }))
  await audit(page, 'deletion of a vehicle')
  await confirm('Delete vehicle')
  await sees('Vehicle deleted', 'No vehicles match your filters.')

  // §8: an email that the mail server refuses
  const unreachable = await person()
  product.rejectMailTo(unreachable.email)
  const { plate: theirs } = await unreachable.registerVehicle()
  await goto(`/admin/vehicles?plate=${theirs}`)
  await click('Approve')
  await sees('Vehicle approved; dispute cleared & peer deleted')
  await expect(async () => {
    await goto('/admin/system/audit-log')
    await expect(page.getByRole('list', { name: 'Audit log' })).toBeVisible()
    await expect(find(filled('Email send failed: {response}', { response: '550' }))).toBeVisible({
      timeout: 2_000,
    })
  }).toPass()
})
