import { PROVINCES } from '#contract/provinces.ts'
import { makeAdmin } from '../admins.ts'
import { test } from '../fixtures.ts'
import { PASSWORD } from '../people.ts'
import { button, data, field, filled, heading, link, option, placeholder, scene } from './scene.ts'

// requirements §2 (Admin), §4, §5, §8 and §9: how it comes about, and what then stands there.

test.describe.configure({ mode: 'parallel' })

const FAULT = { error: 'E2E: 400', code: 'unexpected' } // the same in both languages

scene('/admin/login', async ({ person, open, product, allow }) => {
  allow(/^500 POST \/auth\/v1\/token/)
  const [admin, owner] = [await makeAdmin(product, await person()), await person()]
  const { at, type, press, fails, mended, waits, goesOn } = await open()
  const signIn = (email: string) => [type({ Email: email, Password: PASSWORD }), press('Sign in')]
  return [
    [at('/admin/login'), field('Email'), field('Password'), button('Sign in')],
    [signIn(owner.email), 'Not an admin account.'],
    [[fails('**/auth/v1/token*'), ...signIn(admin.email)], 'Login failed.'],
    [[mended, waits('**/auth/v1/token*'), ...signIn(admin.email)], button('Signing in…')],
    [goesOn, ...['Dashboard', 'Users', 'Vehicles', 'View profile'].map((name) => link(name)), button('Sign out')],
  ]
})

scene('/admin', async ({ person, open, product, allow }) => {
  allow(/^400 GET \/api\/admin\/stats/)
  const admin = await makeAdmin(product, await person())
  await admin.registers(undefined, 'Saskatchewan')
  await product.db`update auth.users set user_metadata = '{}' where id = ${admin.id}`
  const count = async (province?: string) => {
    const [row] = await product.db<{ count: string }[]>`
      select count(*)::text from vehicles
      where status in ('active', 'verified') and (province = ${province ?? null} or ${province === undefined})`
    return row?.count ?? ''
  }
  const { at, choose, fails } = await open(admin)
  const text = '{count} in {place}'
  return [
    [
      at('/admin'),
      'Admin',
      'Registered Vehicles',
      filled(text, { count: await count(), place: 'All Provinces' }),
      option('All Provinces'),
      ...PROVINCES.map((name) => option(name)),
      data(admin.email), // no name
    ],
    [choose({ Province: 'Saskatchewan' }), filled(text, { count: await count('Saskatchewan'), place: 'Saskatchewan' })],
    [[fails('**/api/admin/stats', FAULT), at('/admin')], 'Error loading stats'],
  ]
})

scene('/admin/users', async ({ person, open, product }) => {
  const [admin, nameless] = [await makeAdmin(product, await person()), await person()]
  await product.db`update auth.users set user_metadata = '{}' where id = ${nameless.id}`
  const { at, press } = await open(admin)
  return [
    [
      at(`/admin/users?search=${nameless.email}`),
      heading('Users'),
      placeholder('Search by email or name…'),
      ...['Email', 'Name', 'Actions'],
      data('—'),
      button('Delete'),
    ],
    [
      press('Delete'),
      heading('Confirm deletion'),
      'Are you sure you want to delete this user? This action cannot be undone.',
    ],
    [press('Delete user'), 'User deleted', 'No users found.'],
  ]
})

scene('/admin/vehicles', async ({ person, open, product }) => {
  const [admin, owner] = [await makeAdmin(product, await person()), await person()]
  const { plate } = await owner.registers()
  const { at, press, type } = await open(admin)
  return [
    [
      at(`/admin/vehicles?email=${owner.email}`),
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
    [press('Approve'), 'Vehicle approved; dispute cleared & peer deleted', 'Verified'],
    [press('Reject'), heading('Reject {plate}', { plate }), field('Reason'), button('Send Rejection')],
    [[type({ Reason: 'E2E' }), press('Send Rejection')], 'Vehicle rejected & email sent', 'Rejected'],
    [press('Delete'), heading('Delete {plate}? This cannot be undone.', { plate })],
    [press('Delete vehicle'), 'Vehicle deleted', 'No vehicles match your filters.'],
  ]
})

scene('what became of the mails of a decision', async ({ person, open, product }) => {
  const admin = await makeAdmin(product, await person())
  const [refusing, holder, challenger] = [await person(), await person(), await person()]
  product.refuseMailTo(refusing.email)
  await admin.approves(await refusing.registers())
  const { plate } = await holder.registers()
  const claim = await challenger.registers(plate)
  await product.inbox.to(holder.email, 2) // asked for documents
  await product.inbox.to(challenger.email, 2)
  for (const { id } of [holder, challenger]) {
    await product.db`update auth.users set email = ${`nobody at home ${id}`} where id = ${id}`
  }
  await admin.approves(claim)
  const { at, until } = await open(admin)
  const text = 'Email send failed: {response}'
  return [
    [[at('/admin/audit-log'), until(text, { response: '550' })], filled(text, { response: '550' })],
    [until('No email for deleted peer'), 'No email for deleted peer'],
    [until('No recipient email'), 'No recipient email'],
  ]
})
