import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { documentsAddress } from '../disputes/reply-address.ts'
import { testApp } from '../test/app.ts'
import { auditEntries, createAdmin } from '../test/disputes.ts'
import { deliver, INBOUND, replyAddressOf, startDispute, writeMail } from '../test/documents.ts'

const app = await testApp({ settings: { ...INBOUND, ROLE: 'web' } })
after(() => app.close())
const admin = await createAdmin(app)

const addressOf = (vehicle: { id: string }) => documentsAddress(app.config, app.context.keyring, vehicle.id)!
const side = async (disputeId: string) => (await admin.get(`/api/admin/disputes/${disputeId}`)).body

test('a reply to the email about the dispute says that documents arrived, on either side', async () => {
  const live = await testApp({ settings: INBOUND }) // sends emails
  try {
    const { incumbent, challenger, vehicles } = await startDispute(live, 'REPLY1')
    for (const [who, vehicle] of [
      [challenger, vehicles.challenger],
      [incumbent, vehicles.incumbent],
    ] as const) {
      const to = await replyAddressOf(live, who)
      assert.match(to, /^documents\+[0-9a-v]{45}@in\.platenote\.test$/)
      const { status, text } = await deliver(live, writeMail({ to: `PlateNote <${to}>` }))
      assert.deepEqual([status, text], [202, ''])
      assert.ok((await who.get(`/api/vehicles/${vehicle.id}/documents`)).body.mailed_at)
    }
  } finally {
    await live.close()
  }
})

test('a reply counts for the vehicle it is about, also when only the envelope names it, and in capitals', async () => {
  const { vehicles, disputeId } = await startDispute(app, 'REPLY2')
  const headers = [`Delivered-To: ${addressOf(vehicles.incumbent).toUpperCase()}`]
  await deliver(app, writeMail({ to: 'support@platenote.ca', headers }))
  assert.ok((await side(disputeId)).incumbent.documents_arrived_at)
  assert.equal((await side(disputeId)).challenger.documents_arrived_at, null)
})

test('a mail delivered twice counts once: an admin who saw that it was empty has the last word', async () => {
  const { vehicles, disputeId } = await startDispute(app, 'REPLY4')
  const mail = writeMail({ to: addressOf(vehicles.challenger) })
  await deliver(app, mail)
  await admin.patch(`/api/admin/disputes/${disputeId}`, { documents_received: false })
  await deliver(app, mail)
  assert.equal((await side(disputeId)).documents_received_at, null)
  await deliver(app, writeMail({ to: addressOf(vehicles.challenger) }))
  assert.ok((await side(disputeId)).documents_received_at)
  const actions = (await auditEntries(admin, disputeId)).map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['documents_received', 'documents_not_received', 'documents_received'])
})

test('absence notes, bounces and receipts are no documents', async () => {
  const { vehicles, disputeId } = await startDispute(app, 'REPLY6')
  const to = addressOf(vehicles.challenger)
  const automatic = [
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (rejected)',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=x',
    'Precedence: auto_reply',
    'X-Autoreply: yes',
    'Return-Path: <>',
    'From: Mail Delivery <MAILER-DAEMON@mail.test>',
  ]
  for (const header of automatic) assert.equal((await deliver(app, writeMail({ to, headers: [header] }))).status, 202)
  assert.equal((await side(disputeId)).documents_received_at, null)
  await deliver(app, writeMail({ to, headers: ['Auto-Submitted: no'] }))
  assert.ok((await side(disputeId)).documents_received_at)
})

test('only the recipient counts, whole, and every answer is the same', async () => {
  const { vehicles, disputeId } = await startDispute(app, 'REPLY7')
  const to = addressOf(vehicles.challenger)
  const [, token = ''] = /\+([0-9a-v]+)@/.exec(to)!
  const forged = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
  const mails = [
    writeMail({ to: 'documents@in.platenote.test', body: `${to}\r\n\r\nTo: ${to}` }),
    writeMail({ to: `documents+${forged}@in.platenote.test` }),
    writeMail({ to: `documents+${'0'.repeat(45)}@in.platenote.test` }),
    writeMail({ to: `documents+${'v'.repeat(45)}@in.platenote.test` }),
    writeMail({ to: to.replace('in.platenote.test', 'in.platenote.test.evil.example') }),
    writeMail({ to: `x${to}` }),
    writeMail({ to: 'support@platenote.ca', headers: [`Subject: ${to}`, `References: <${to}>`, `X-Note: ${to}`] }),
    '',
    `To: ${to}`.repeat(20_000),
    '\0\r\n: :\r\n\t\r\n',
  ]
  for (const mail of mails.slice(0, -3)) {
    const { status, text } = await deliver(app, mail)
    assert.deepEqual([status, text], [202, ''], mail)
  }
  for (const mail of mails.slice(-3)) assert.ok([202, 415].includes((await deliver(app, mail)).status))
  assert.equal((await side(disputeId)).documents_received_at, null)
  // one whose dispute is over
  await admin.post(`/api/admin/vehicles/${vehicles.incumbent.id}/approve`)
  assert.equal((await deliver(app, writeMail({ to }))).status, 202)
  const rows = await app.db`select from document_arrivals where vehicle_id = ${vehicles.challenger.id}`
  assert.equal(rows.length, 0)
})

test('nothing of a mail is kept but that it came', async () => {
  const { vehicles } = await startDispute(app, 'REPLY8')
  const canary = 'Saskatoon-berry-6kQ4'
  const mail = writeMail({
    to: addressOf(vehicles.challenger),
    headers: [`X-Note: ${canary}`, 'Content-Type: text/plain'],
    body: canary.repeat(1000),
    id: `<${canary}@mail.test>`,
  })
  assert.equal((await deliver(app, mail)).status, 202)
  const tables = await app.db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  for (const { name } of tables) {
    const found = await app.db.unsafe(`select from ${name} t where t::text like '%${canary}%'`)
    assert.equal(found.length, 0, name)
  }
})

test('only the mail server may call the hook, and without the setting there is none', async () => {
  const { vehicles, disputeId } = await startDispute(app, 'REPLY9')
  const mail = writeMail({ to: addressOf(vehicles.challenger) })
  for (const secret of ['', 'x', `${INBOUND.INBOUND_MAIL_SECRET}x`, admin.token]) {
    assert.equal((await deliver(app, mail, secret)).body.code, 'forbidden')
  }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${INBOUND.INBOUND_MAIL_SECRET}` }
  assert.equal((await app.visitor.post('/api/inbound-mail', {}, headers)).status, 415)
  assert.equal((await side(disputeId)).documents_received_at, null)
  const without = await testApp()
  try {
    assert.equal((await deliver(without, mail)).status, 404)
    const { challenger } = await startDispute(without, 'REPLY9')
    assert.equal(await replyAddressOf(without, challenger), without.config.SUPPORT_EMAIL)
  } finally {
    await without.close()
  }
})
