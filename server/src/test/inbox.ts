import { allItems, type Person, testApp } from './app.ts'
import { createAdmin } from './disputes.ts'

/** Starts what tests of the inbox need: the product and an admin, with the calls about reports. The caller closes it. */
export async function startInbox() {
  const settings = { TRUST_PROXY: '127.0.0.1', SERVICE_KEY: 's'.repeat(40) }
  const app = await testApp({ settings })
  const admin = await createAdmin(app)
  const at = (id: string, call: string) => `/api/admin/reports/${id}/${call}`
  const open = (who: Person, id: string, purpose = 'A new report') => who.post(at(id, 'open'), { purpose })
  const decide = (who: Person, id: string, action: string, more: object = {}) =>
    who.post(at(id, 'decide'), { action, reason: 'We read it.', ...more })
  const auditOf = async (id: string) =>
    (await admin.get('/api/admin/audit-log?limit=100')).body.items.filter(
      ({ subject_id }: { subject_id: string }) => subject_id === id,
    )
  const idsOf = async (state: string, limit = 100): Promise<string[]> =>
    (await allItems(admin, `/api/admin/inbox?kind=report&state=${state}&limit=${limit}`)).map(({ id }) => id)
  const mailsTo = (who: Person) => app.db`select kind from outbox where recipient_id = ${who.id} and kind = 'sanction'`
  return { app, admin, at, open, decide, auditOf, idsOf, mailsTo }
}
