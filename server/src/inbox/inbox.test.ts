import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, allItems } from '../test/app.ts'
import { reportedMessage } from '../test/cases.ts'
import { createAdmin, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { startDispute } from '../test/documents.ts'
import { fieldsOf } from '../test/fields.ts'
import { startInbox } from '../test/inbox.ts'
import { appealTokenOf, mailAbout, suspend } from '../test/sanctions.ts'

// The inbox: one queue of disputes, reports and appeals; and a dispute of it.

type Item = { kind: string; id: string; is_raised: boolean; [fact: string]: unknown }

const { app, admin, decide } = await startInbox()
const second = await createAdmin(app)

const page = async (query = '', who = admin) => {
  const body = await accepted(who.get(`/api/admin/inbox${query}`))
  return { items: body.items as Item[], text: JSON.stringify(body) }
}
const idsOf = async (query: string, limit: number): Promise<string[]> =>
  (await allItems(admin, `/api/admin/inbox?limit=${limit}${query}`)).map(({ id }) => id)
const disputed = async (plate: string) => ({ id: (await startDispute(app, plate)).disputeId })
const appealed = async () => {
  const person = await app.user()
  await suspend(admin, person)
  const token = appealTokenOf(await mailAbout(app, person.email, /suspended/))
  const { body } = await app.visitor.post('/api/appeals', { token, text: 'canary appeal' })
  return body.id as string
}

test('all three kinds stand in one queue by when they are due, without anything that somebody wrote', async () => {
  const dispute = await disputed('INBX1')
  const { caseId, sender, owner } = await reportedMessage(app, { content: 'canary content', note: 'canary note' })
  const appeal = await appealed()
  const { items, text } = await page()
  for (const secret of ['canary', sender.email, owner.email]) assert.ok(!text.includes(secret), secret)
  const [report, appealItem, disputeItem] = items
  assert.deepEqual(
    [report, appealItem, disputeItem].map((item) => [item?.kind, item?.id]),
    [
      ['report', caseId],
      ['appeal', appeal],
      ['dispute', dispute.id],
    ],
  )
  assert.deepEqual([disputeItem?.['plate'], report?.['reason']], ['INBX1', 'threat'])
  assert.deepEqual([appealItem?.['state'], appealItem?.['own_decision']], ['open', true])
  assert.equal((await page('?kind=appeal', second)).items[0]?.['own_decision'], false)

  // once the documents are here, the dispute waits since then
  await admin.patch(`/api/admin/disputes/${dispute.id}`, { documents_received: true })
  const { caseId: later } = await reportedMessage(app)
  assert.deepEqual(fieldsOf((await page()).items.slice(-2), 'id'), [dispute.id, later])
})

test('what is raised stands first, and pages have every item once, also those that are due at almost the same time', async () => {
  const loud = await reportedMessage(app)
  const disputes = [await disputed('INBX2'), await disputed('INBX3'), await disputed('INBX4')]
  // they differ by less than what is shown, and were created in the other order
  for (const [n, { id }] of disputes.entries())
    await app.db`update plate_disputes set documents_due_at = ${`2020-01-06T15:00:09.00000${3 - n}Z`}::text::timestamptz where id = ${id}`
  await app.db`update report_cases set reporters = 3 where id = ${loud.caseId}`
  const all = await idsOf('', 100)
  assert.deepEqual(all.slice(0, 4), [loud.caseId, ...disputes.map(({ id }) => id).reverse()])
  assert.equal((await page()).items[0]?.is_raised, true)
  for (const limit of [1, 2, 3]) assert.deepEqual(await idsOf('', limit), all)
  const byKind = await Promise.all(['dispute', 'report', 'appeal'].map((kind) => idsOf(`&kind=${kind}`, 100)))
  assert.deepEqual(new Set(byKind.flat()), new Set(all))

  const { body: counts } = await admin.get('/api/admin/inbox/counts')
  assert.deepEqual([counts.disputes, counts.reports, counts.appeals], fieldsOf(byKind, 'length'))
})

test('what was decided is found among the closed items, the latest first', async () => {
  const [{ caseId }, appeal] = [await reportedMessage(app), await appealed()]
  await decide(admin, caseId, 'dismiss')
  await second.post(`/api/admin/appeals/${appeal}/decide`, { uphold: true, reason: 'Both were yours.' })
  const { items } = await page('?state=closed')
  assert.deepEqual(fieldsOf(items, 'kind', 'id'), [
    ['appeal', appeal],
    ['report', caseId],
  ])
  const [upheld, dismissed] = items as [Item, Item & { decision: { action: string } }]
  assert.deepEqual([upheld['upheld'], dismissed.decision.action], [true, 'dismiss'])
  assert.deepEqual(await idsOf('&state=closed', 1), [appeal, caseId])
  assert.deepEqual(await idsOf('&state=closed&kind=dispute', 10), [])
  const open = await idsOf('', 100)
  assert.ok(!open.includes(caseId) && !open.includes(appeal))
})

const shownTo = async (id: string) => {
  return accepted(admin.get(`/api/admin/disputes/${id}`))
}

test('a dispute is shown with both sides, each with its plate as that side wrote it', async () => {
  const { disputeId: id, incumbent, challenger } = await startDispute(app, 'BOTH-1', 'BOTH1')
  const shown = await shownTo(id)
  assert.ok(Math.abs(Date.parse(shown.opened_at) - Date.now()) < 600_000)
  const { documents_due_at } = (await onlyVehicleOf(challenger)).dispute
  assert.partialDeepStrictEqual(shown, { province: 'Ontario', documents_due_at, other_challengers: [] })
  for (const [side, person, plate] of [
    [shown.incumbent, incumbent, 'BOTH-1'],
    [shown.challenger, challenger, 'BOTH1'],
  ] as const) {
    const owner = { user_id: person.id, owner_email: person.email, owner_name: 'Alex Tremblay' }
    const { id: vehicle_id, created_at: registered_at, make, status } = await onlyVehicleOf(person)
    const sent = { documents_arrived_at: null, documents: [] }
    assert.partialDeepStrictEqual(side, { plate, vehicle_id, registered_at, make, status, ...owner, ...sent })
  }
})

test('a dispute names who else challenges the plate, and is gone with either of its sides', async () => {
  const { disputeId: id, challenger } = await startDispute(app, 'THREE1')
  const third = await app.user()
  await registerPlate(third, 'THREE1')
  assert.deepEqual((await shownTo(id)).other_challengers, [third.email])
  assert.equal((await admin.delete(`/api/admin/vehicles/${(await onlyVehicleOf(challenger)).id}`)).status, 204)
  assert.equal((await admin.get(`/api/admin/disputes/${id}`)).status, 404)
})
