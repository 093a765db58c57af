import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { type ArrivedDocuments, DOCUMENT_MAX_BYTES, type SentDocument } from '#contract/documents.ts'
import { removeDeletedFiles } from '../files/remove-deleted-files.ts'
import { type Person, testApp } from '../test/app.ts'
import {
  auditEntries,
  createAdmin,
  onlyVehicleOf,
  openChallenges,
  registerPlate,
  vehicleStates,
} from '../test/disputes.ts'
import { encryptedFiles, startDispute } from '../test/documents.ts'
import { fieldsOf } from '../test/fields.ts'
import { downloadImage, pdfWith, uploadDocument } from '../test/upload.ts'
import { settleOverdueDisputes } from '../vehicles/settle-overdue-disputes.ts'
import { deleteExpiredDocuments } from './queries.ts'

const app = await testApp({ settings: { ROLE: 'web' } }) // runs no jobs: the test settles disputes and deletes files
const admin = await createAdmin(app)

const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#456' } })
  .jpeg()
  .withExif({ IFD0: { Artist: 'Sam Roy' } })
  .toBuffer()

const list = async (who: Person, vehicle: { id: string }) =>
  (await who.get(`/api/vehicles/${vehicle.id}/documents`)).body as ArrivedDocuments
const open = (documentId: string, by: Person = admin) =>
  downloadImageOf(`${app.url}/api/admin/documents/${documentId}/open`, by)
const sides = async (disputeId: string) => (await admin.get(`/api/admin/disputes/${disputeId}`)).body

async function downloadImageOf(address: string, { token }: Person) {
  const response = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('sending documents', () => {
  test('a photo and a PDF arrive; their sender learns that they are here, and the deciding admin alone reads them', async () => {
    const { incumbent, challenger, vehicles, disputeId } = await startDispute(app, 'SEAL1')
    const pdf = pdfWith('a licence')
    const [first, second] = [
      await uploadDocument(challenger, vehicles.challenger.id, photo),
      await uploadDocument(challenger, vehicles.challenger.id, pdf, { type: 'application/pdf', name: 'roy.pdf' }),
    ]
    assert.deepEqual([first.status, second.status], [201, 201])
    const { items, ...arrived } = await list(challenger, vehicles.challenger)
    assert.deepEqual(fieldsOf(items, 'kind'), ['image', 'pdf'])
    assert.deepEqual(arrived, { mailed_at: null, waits_for_admin: true })
    const nothing = { items: [], mailed_at: null, waits_for_admin: false }
    assert.deepEqual(await list(incumbent, vehicles.incumbent), nothing)

    const shown = await sides(disputeId)
    assert.equal(shown.incumbent.documents_arrived_at, null)
    assert.ok(shown.challenger.documents_arrived_at)
    assert.equal(shown.documents_received_at, shown.challenger.documents_arrived_at)
    assert.deepEqual(
      shown.challenger.documents.map(({ id }: SentDocument) => id),
      fieldsOf(items, 'id'),
    )

    const { documents } = (await challenger.get('/api/export')).body
    assert.deepEqual(fieldsOf(documents, 'plate', 'kind'), [
      ['SEAL1', 'pdf'],
      ['SEAL1', 'image'],
    ])

    const image = await open(items[0]!.id)
    const metadata = await sharp(image.bytes).metadata()
    assert.deepEqual([image.status, metadata.format, metadata.exif], [200, 'webp', undefined])
    const paper = await open(items[1]!.id)
    assert.deepEqual([paper.status, paper.bytes.equals(pdf)], [200, true])
    for (const { headers } of [image, paper]) {
      assert.match(headers.get('content-disposition')!, /^attachment; filename="[0-9a-f-]{36}\.(?:webp|pdf)"$/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy')!, /^default-src 'none'; sandbox;/)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    const opened = { actor_email: admin.email, action: 'document_opened', subject: 'SEAL1 · Ontario', reason: null }
    assert.deepEqual(await auditEntries(admin, vehicles.challenger.id), [opened, opened])
  })

  test('no admin who has the plate too opens them, nor does a link without a session', async () => {
    const { incumbent, vehicles } = await startDispute(app, 'SEAL2')
    const interested = await createAdmin(app)
    await registerPlate(interested, 'SEAL2')
    const { body } = await uploadDocument(incumbent, vehicles.incumbent.id, photo)
    assert.equal((await open(body.id, interested)).status, 403)
    assert.equal((await downloadImage(`${app.url}/api/admin/documents/${body.id}/open`)).status, 404)
    assert.deepEqual(await auditEntries(admin, vehicles.incumbent.id), [])
  })

  test('two at most, of 10 MB each, that are a photo or a PDF', async () => {
    const { challenger, vehicles } = await startDispute(app, 'SEAL3')
    const { id } = vehicles.challenger
    const refusals: [Uint8Array, string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'document_unreadable'],
      [Buffer.from('<html><script>alert(1)</script>'), 'document_unreadable'],
      // a web page before the PDF, and a PDF without an end
      [Buffer.concat([Buffer.from('<html>'), pdfWith('x')]), 'document_unreadable'],
      [pdfWith('x').subarray(0, 40), 'file_incomplete'],
      [Buffer.alloc(0), 'document_missing'],
      [Buffer.alloc(DOCUMENT_MAX_BYTES + 1, pdfWith('x')), 'document_too_large'],
    ]
    for (const [bytes, code] of refusals) assert.equal((await uploadDocument(challenger, id, bytes)).body.code, code)
    assert.equal((await uploadDocument(challenger, id, photo, { field: 'other' })).body.code, 'document_missing')
    // several at once take the two positions there are
    const responses = await Promise.all([1, 2, 3, 4].map(() => uploadDocument(challenger, id, photo)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 409, 409])
    assert.equal((await uploadDocument(challenger, id, photo)).body.code, 'documents_full')
    const [first] = (await list(challenger, vehicles.challenger)).items
    assert.equal((await challenger.delete(`/api/documents/${first!.id}`)).status, 204)
    assert.equal((await uploadDocument(challenger, id, pdfWith('another'))).status, 201)
  })
})

describe('deletion', () => {
  const cleanUp = async () => {
    await deleteExpiredDocuments(app.db)
    await removeDeletedFiles(app.context)
  }
  const endings: [string, (dispute: Awaited<ReturnType<typeof startDispute>>) => Promise<unknown>][] = [
    ['approval', ({ vehicles }) => admin.post(`/api/admin/vehicles/${vehicles.challenger.id}/approve`)],
    ['the end of an account', ({ incumbent }) => incumbent.post('/functions/v1/delete-user', { id: incumbent.id })],
  ]
  for (const [i, [name, end]] of endings.entries()) {
    test(`${name} deletes the documents of both sides, with their files`, async () => {
      const dispute = await startDispute(app, `ENDS${i}`)
      const { incumbent, challenger, vehicles } = dispute
      await cleanUp()
      const before = encryptedFiles(app).length
      const { body } = await uploadDocument(incumbent, vehicles.incumbent.id, photo)
      await uploadDocument(challenger, vehicles.challenger.id, photo)
      assert.equal(encryptedFiles(app).length, before + 2)
      await end(dispute)
      const rows = await app.db`
        select from dispute_documents where vehicle_id in (${vehicles.incumbent.id}, ${vehicles.challenger.id})
        union all
        select from document_arrivals where vehicle_id in (${vehicles.incumbent.id}, ${vehicles.challenger.id})`
      assert.equal(rows.length, 0)
      assert.equal((await open(body.id)).status, 404)
      await cleanUp()
      assert.equal(encryptedFiles(app).length, before)
    })
  }

  test('30 days after the due date the files go, and the dispute still waits for an admin', async () => {
    const { challenger, vehicles, disputeId } = await startDispute(app, 'MONTH1')
    const { body } = await uploadDocument(challenger, vehicles.challenger.id, photo)
    const due = (days: number) => app.db`
      update plate_disputes set documents_due_at = now() - make_interval(days => ${days}) where id = ${disputeId}`
    await due(29)
    await cleanUp()
    assert.equal((await open(body.id)).status, 200)
    await due(30)
    const before = encryptedFiles(app).length
    await cleanUp()
    assert.equal((await open(body.id)).status, 404)
    assert.equal(encryptedFiles(app).length, before - 1)
    assert.equal((await uploadDocument(challenger, vehicles.challenger.id, photo)).body.code, 'documents_too_late')
    await settleOverdueDisputes(app.context)
    assert.deepEqual(await vehicleStates(challenger), ['pending_verification, challenger'])
  })

  test('a challenger that takes the place of the incumbent keeps its documents', async () => {
    const { incumbent, challenger, vehicles } = await startDispute(app, 'HEIR1')
    const third = await app.user()
    await registerPlate(third, 'HEIR1')
    await uploadDocument(challenger, vehicles.challenger.id, photo)
    await incumbent.delete(`/api/vehicles/${vehicles.incumbent.id}`)
    assert.equal((await onlyVehicleOf(challenger)).dispute.role, 'incumbent')
    assert.equal((await list(challenger, vehicles.challenger)).items.length, 1)
    const [challenge] = await openChallenges(app, 'HEIR1')
    assert.ok((await sides(challenge!.id)).incumbent.documents_arrived_at)
  })
})
