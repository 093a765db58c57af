import { PROVINCES } from '#contract/provinces.ts'
import { grantAdmin } from '../../support/admins.ts'
import { test } from '../../support/fixtures.ts'
import { PASSWORD } from '../../support/people.ts'
import { SERVER_ERROR } from '../../support/test-data.ts'
import { button, data, field, filled, heading, link, option, placeholder, walkthrough } from './walkthrough.ts'

// requirements §2 (Admin), §4, §5, §8 and §9: how each text is reached, and what must be readable then.

test.describe.configure({ mode: 'parallel' })

walkthrough('/admin/login', async ({ person, open, product, allow }) => {
  allow(/^500 POST \/auth\/v1\/token/)
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const { goto, fill, click, failWith, restore, hold, release } = await open()
  const signIn = (email: string) => [fill({ Email: email, Password: PASSWORD }), click('Sign in')]
  return [
    [goto('/admin/login'), field('Email'), field('Password'), button('Sign in')],
    [signIn(owner.email), 'Not an admin account.'],
    [[failWith('**/auth/v1/token*'), ...signIn(admin.email)], 'Login failed.'],
    [[restore, hold('**/auth/v1/token*'), ...signIn(admin.email)], button('Signing in…')],
    [release, ...['Dashboard', 'Users', 'Vehicles', 'View profile'].map((name) => link(name)), button('Sign out')],
  ]
})

walkthrough('/admin', async ({ person, open, product, allow }) => {
  allow(/^400 GET \/api\/admin\/stats/)
  const admin = await grantAdmin(product, await person())
  await admin.registerVehicle(undefined, 'Saskatchewan')
  await product.db`update auth.users set user_metadata = '{}' where id = ${admin.id}`
  const count = async (province?: string) => {
    const [row] = await product.db<{ count: string }[]>`
      select count(*)::text from vehicles
      where is_live(status) and (province = ${province ?? null} or ${province === undefined})`
    return row?.count ?? ''
  }
  const { goto, select, failWith } = await open(admin)
  const text = '{count} in {place}'
  return [
    [
      goto('/admin'),
      'Admin',
      'Registered Vehicles',
      filled(text, { count: await count(), place: 'All Provinces' }),
      option('All Provinces'),
      ...PROVINCES.map((name) => option(name)),
      data(admin.email), // has no name
    ],
    [select({ Province: 'Saskatchewan' }), filled(text, { count: await count('Saskatchewan'), place: 'Saskatchewan' })],
    [[failWith('**/api/admin/stats', SERVER_ERROR), goto('/admin')], 'Error loading stats'],
  ]
})

walkthrough('/admin/users', async ({ person, open, product }) => {
  const [admin, nameless] = [await grantAdmin(product, await person()), await person()]
  await product.db`update auth.users set user_metadata = '{}' where id = ${nameless.id}`
  const { goto, click } = await open(admin)
  return [
    [
      goto(`/admin/users?search=${nameless.email}`),
      heading('Users'),
      placeholder('Search by email or name…'),
      ...['Email', 'Name', 'Actions'],
      data('—'),
      button('Delete'),
    ],
    [
      click('Delete'),
      heading('Confirm deletion'),
      'Are you sure you want to delete this user? This action cannot be undone.',
    ],
    [click('Delete user'), 'User deleted', 'No users found.'],
  ]
})

walkthrough('/admin/vehicles', async ({ person, open, product }) => {
  const [admin, owner] = [await grantAdmin(product, await person()), await person()]
  const { plate } = await owner.registerVehicle()
  const { goto, click, fill } = await open(admin)
  return [
    [
      goto(`/admin/vehicles?email=${owner.email}`),
      ...['Plate', 'Owner email', 'Province', 'Status'].map((name) => field(name)),
      ...['All Statuses', 'Active (pre-verify)', 'Pending Verification', 'Rejected', 'Verified'].map((name) =>
        option(name),
      ),
      ...['All Provinces', ...PROVINCES].map((name) => option(name)),
      button('Approve'),
      button('Reject'),
      button('Delete'),
      data('Honda Civic 2020'),
      data(owner.email),
    ],
    [click('Approve'), 'Vehicle approved; dispute cleared & peer deleted', 'Verified'],
    [click('Reject'), heading('Reject {plate}', { plate }), field('Reason'), button('Send Rejection')],
    [[fill({ Reason: 'E2E' }), click('Send Rejection')], 'Vehicle rejected & email sent', 'Rejected'],
    [click('Delete'), heading('Delete {plate}? This cannot be undone.', { plate })],
    [click('Delete vehicle'), 'Vehicle deleted', 'No vehicles match your filters.'],
  ]
})

walkthrough('the delivery status of the emails about a decision', async ({ person, open, product }) => {
  const admin = await grantAdmin(product, await person())
  const [refusing, holder, challenger] = [await person(), await person(), await person()]
  product.rejectMailTo(refusing.email)
  await admin.approveVehicle(await refusing.registerVehicle())
  const { plate } = await holder.registerVehicle()
  const claim = await challenger.registerVehicle(plate)
  await product.inbox.to(holder.email, 2) // the first asked for documents
  await product.inbox.to(challenger.email, 2)
  for (const { id } of [holder, challenger]) {
    await product.db`update auth.users set email = ${`nobody at home ${id}`} where id = ${id}`
  }
  await admin.approveVehicle(claim)
  const { goto, reloadUntil } = await open(admin)
  const text = 'Email send failed: {response}'
  return [
    [[goto('/admin/audit-log'), reloadUntil(text, { response: '550' })], filled(text, { response: '550' })],
    [reloadUntil('No email for deleted peer'), 'No email for deleted peer'],
    [reloadUntil('No recipient email'), 'No recipient email'],
  ]
})
