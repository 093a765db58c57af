import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'

const app = await testApp()
after(() => app.close())
const adminUser = await createAdmin(app)

const shownTo = async (id: string) => {
  const { status, body, text } = await adminUser.get(`/api/admin/disputes/${id}`)
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
  const shown = await shownTo(id)
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
      other_challengers: [],
    },
  )
  assert.deepEqual([shown.incumbent.plate, shown.challenger.plate], ['BOTH-1', 'BOTH1'])
})

test('documents can be marked as received and unmarked, and marking often, also at one moment, is recorded once', async () => {
  const { id } = await disputed('DOCS1')
  const mark = (documents_received: boolean) => adminUser.patch(`/api/admin/disputes/${id}`, { documents_received })
  const marks = await Promise.all(Array.from({ length: 8 }, () => mark(true)))
  assert.deepEqual(new Set(marks.map(({ status }) => status)), new Set([200]))
  const { body } = marks[0]!
  assert.ok(Math.abs(Date.parse(body.documents_received_at) - Date.now()) < 60_000)
  assert.deepEqual(await shownTo(id), body)
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

test('a dispute names who else challenges the plate, and is gone with either of its sides', async () => {
  const { id, challenger } = await disputed('THREE1')
  const third = await app.user()
  await registerPlate(third, 'THREE1')
  assert.deepEqual((await shownTo(id)).other_challengers, [third.email])
  assert.equal((await adminUser.delete(`/api/admin/vehicles/${(await onlyVehicleOf(challenger)).id}`)).status, 204)
  assert.equal((await adminUser.get(`/api/admin/disputes/${id}`)).status, 404)
})
