import assert from 'node:assert/strict'
import type { Person, TestApp } from './app.ts'

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
  const sent = await sender.post('/api/messages', { plate, content })
  assert.equal(sent.status, 201, sent.text)
  const reported = await owner.post(`/api/messages/${sent.body.id}/report`, { reason, ...(note && { note }) })
  assert.equal(reported.status, 201, reported.text)
  const [row] = await app.db<{ id: string; subject_id: string }[]>`
    select id, subject_id from report_cases where message_id = ${sent.body.id} and side = 'message'`
  return { sender, owner, messageId: sent.body.id, caseId: row!.id, subjectId: row!.subject_id }
}
