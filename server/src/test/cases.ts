import assert from 'node:assert/strict'
import { accepted, type Person, type TestApp } from './app.ts'
import { sendMessage } from './messages.ts'

// Helpers of tests about reported messages.

type ReportedMessage = { sender: Person; owner: Person; messageId: string; caseId: string; subjectId: string }

/** Sends a message to a vehicle, and reports it as its owner. Both people are created unless they are passed in. */
export async function reportedMessage(
  app: TestApp,
  {
    content = 'I know where you park',
    reason = 'threat',
    note,
    ...people
  }: { content?: string; reason?: string; note?: string; sender?: Person; owner?: Person } = {},
): Promise<ReportedMessage> {
  const [sender, owner] = await Promise.all([people.sender ?? app.user(), people.owner ?? app.user()])
  const { plate } = await app.vehicle(owner)
  const messageId = await sendMessage(sender, plate, content)
  const reported = await owner.post(`/api/messages/${messageId}/report`, { reason, ...(note && { note }) })
  assert.equal(reported.status, 201, reported.text)
  const { id: caseId, subject_id: subjectId } = await caseOf(app, messageId)
  return { sender, owner, messageId, caseId, subjectId }
}

/** Returns the case about a message that was reported, or about the reply to it. */
export async function caseOf(
  { db }: Pick<TestApp, 'db'>,
  messageId: string,
): Promise<{ id: string; side: string; subject_id: string }> {
  const cases = await db<{ id: string; side: string; subject_id: string }[]>`
    select id, side, subject_id from report_cases where message_id = ${messageId}`
  assert.equal(cases.length, 1)
  return cases[0]!
}

/** Lets moderators delete what was reported: a message, or a reply. */
export async function deleteReported(app: TestApp, admin: Person, messageId: string): Promise<void> {
  const { id } = await caseOf(app, messageId)
  const decision = { action: 'delete_message', reason: 'We read it.' }
  await accepted(admin.post(`/api/admin/reports/${id}/decide`, decision))
}
