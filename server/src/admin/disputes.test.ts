import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

const page = async (query = '') => {
  const { status, body, text } = await adminUser.get(`/api/admin/disputes${query}`)
  assert.equal(status, 200, text)
  return body
}
const disputed = async (incumbentPlate: string, challengerPlate = incumbentPlate) => {
  const [incumbent, challenger] = await createTwoUsers(app)
  await registerPlate(incumbent, incumbentPlate)
  await registerPlate(challenger, challengerPlate)
  const challengerId = (await onlyVehicleOf(challenger)).id
  const [row] = await app.db<{ id: string }[]>`
    select id from plate_disputes where challenger_vehicle_id = ${challengerId}`
  return { id: row!.id, incumbent, challenger }
}

/** How a side of a dispute is shown. */
const toSide = async (person: Person) => {
  const { id, plate, make, model, registration_year, status, created_at } = await onlyVehicleOf(person)
  return {
    plate,
    make,
    model,
    registration_year,
    status,
    vehicle_id: id,
    registered_at: created_at,
    user_id: person.id,
    owner_email: person.email,
    owner_name: 'Alex Tremblay',
    documents_arrived_at: null,
    documents: [],
  }
}

test('a dispute is shown with both sides, each with its plate as that side wrote it', async () => {
  const { id, incumbent, challenger } = await disputed('BOTH-1', 'BOTH1')
  const { items } = await page()
  const [shown] = items.filter((dispute: { id: string }) => dispute.id === id)
  const { documents_due_at } = (await onlyVehicleOf(challenger)).dispute
  assert.ok(Math.abs(Date.parse(shown.opened_at) - Date.now()) < 60_000)
  assert.deepEqual(
    { ...shown, opened_at: null },
    {
      id,
      plate: shown.plate,
      province: 'Ontario',
      opened_at: null,
      documents_due_at,
      documents_received_at: null,
      incumbent: await toSide(incumbent),
      challenger: await toSide(challenger),
    },
  )
  assert.deepEqual([shown.incumbent.plate, shown.challenger.plate], ['BOTH-1', 'BOTH1'])
})

test('documents can be marked as received and unmarked, and marking twice is recorded once', async () => {
  const { id } = await disputed('DOCS1')
  const mark = (documents_received: boolean) => adminUser.patch(`/api/admin/disputes/${id}`, { documents_received })
  const { status, body } = await mark(true)
  assert.equal(status, 200)
  assert.ok(Math.abs(Date.parse(body.documents_received_at) - Date.now()) < 60_000)
  assert.deepEqual(
    (await page()).items.find((dispute: { id: string }) => dispute.id === id),
    body,
  )
  assert.deepEqual((await mark(true)).body, body)
  assert.equal((await mark(false)).body.documents_received_at, null)
  const log = (await adminUser.get('/api/admin/audit-log')).body.items
  assert.deepEqual(
    log
      .filter((entry: { subject_id: string }) => entry.subject_id === id)
      .map(({ action }: { action: string }) => action),
    ['documents_not_received', 'documents_received'],
  )
})

test('the earliest due date comes first, and disputes with equal or almost equal dates are paged once each', async () => {
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.push((await disputed(`DUE${n}`)).id)
  // the third and fourth differ by less than what is shown, and were created in the other order
  const due = ['09.000001', '09.000001', '09.000003', '09.000002', '09.000001', '10', '08.5']
  for (const [n, id] of ids.entries()) {
    await app.db`update plate_disputes set documents_due_at = ${`2020-01-06T15:00:${due[n]}Z`}::text::timestamptz where id = ${id}`
  }
  const expected = [6, 0, 1, 4, 3, 2, 5].map((n) => ids[n])
  for (const limit of [1, 2, 3, 100]) {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { items, next }: { items: { id: string }[]; next: string | null } = await page(
        `?limit=${limit}${cursor && `&cursor=${cursor}`}`,
      )
      found.push(...items.map(({ id }) => id))
      cursor = next
    }
    assert.equal(new Set(found).size, found.length)
    assert.deepEqual(found.slice(0, expected.length), expected)
  }
})

test('a dispute that ends during paging hides no other', async () => {
  const first = await page('?limit=3')
  const [gone, last] = [first.items[1], first.items[2]]
  const rest = (await page('?limit=100')).items.slice(3)
  for (const { challenger } of [gone, last]) {
    assert.equal((await adminUser.delete(`/api/admin/vehicles/${challenger.vehicle_id}`)).status, 204)
  }
  assert.deepEqual((await page(`?limit=100&cursor=${first.next}`)).items, rest)
})
