import assert from 'node:assert/strict'
import type { AuditEntry } from '#contract/admin.ts'
import { grantAdmin } from '../auth/admin-role.ts'
import type { CapturedMail, Person, TestApp } from './app.ts'
import { eventually } from './eventually.ts'

// Helpers of tests about disputes: users who register one plate, and what they see of it.

export const CIVIC = { make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }

/** Registers a plate over HTTP. Returns the response. */
export const registerPlate = (who: Person, plate: string, headers?: Record<string, string>) =>
  who.post('/register-plate', { plate, ...CIVIC }, headers)

export const createUsers = (app: TestApp, count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => app.user()))
export const createTwoUsers = (app: TestApp) => createUsers(app, 2) as Promise<[Person, Person]>
export const createThreeUsers = (app: TestApp) => createUsers(app, 3) as Promise<[Person, Person, Person]>

/** Creates a user with the admin role. */
export async function createAdmin(app: TestApp): Promise<Person> {
  const person = await app.user()
  assert.ok(await grantAdmin(app.db, person.email))
  return person
}

/** Returns a user's only vehicle. */
export async function onlyVehicleOf(who: Person) {
  const { body } = await who.get('/api/vehicles')
  assert.equal(body.items.length, 1)
  return body.items[0]
}

/** Returns the status and role of each user's only vehicle, as the user sees it; 'none' without one. */
export const vehicleStates = (...everybody: Person[]): Promise<string[]> =>
  Promise.all(
    everybody.map(async (who) => {
      const { body } = await who.get('/api/vehicles')
      assert.ok(body.items.length <= 1)
      const [vehicle] = body.items
      if (!vehicle) return 'none'
      return vehicle.dispute ? `${vehicle.status}, ${vehicle.dispute.role}` : vehicle.status
    }),
  )

/** Returns the types of a user's notifications about vehicles, oldest first. */
export async function vehicleNotificationTypes(who: Person): Promise<string[]> {
  const { body } = await who.get('/api/notifications?limit=100')
  const types: string[] = body.items.map(({ type }: { type: string }) => type)
  return types.filter((type) => type.startsWith('vehicle_')).reverse()
}

/** Returns the kinds of the emails queued for a user about vehicles and disputes, oldest first. */
export async function queuedMailKinds(app: TestApp, who: { id: string }): Promise<string[]> {
  const rows = await app.db<{ kind: string }[]>`
    select kind from outbox
    where recipient_id = ${who.id} and (kind like 'vehicle_%' or kind like 'dispute_%')
    order by id`
  return rows.map(({ kind }) => kind)
}

/** Resolves with a user's email with this subject; a queued email that is superseded meanwhile is never sent. */
export const waitForMail = (app: TestApp, who: Person, subject: string): Promise<CapturedMail> =>
  eventually(async () => (await app.mails(who.email, 0)).find((mail) => mail.subject === subject))

/** Returns the open challenges of a plate as stored, oldest first. */
export const openChallenges = (app: TestApp, plateKey: string) =>
  app.db<{ id: string; challenger_vehicle_id: string; documents_received_at: string | null }[]>`
    select id, challenger_vehicle_id, documents_received_at from plate_disputes where plate_key = ${plateKey} order by id`

/** Lets the due date of these challenges pass. */
export const expireDocumentsDueDate = async (app: TestApp, disputeIds: string[]): Promise<void> => {
  await app.db`
    update plate_disputes set documents_due_at = now() - interval '1 second' where id = any(${disputeIds}::uuid[])`
}

/** Returns the audit log's entries about a vehicle or dispute, oldest first. */
export async function auditEntries(by: Person, subjectId: string) {
  const { body } = await by.get('/api/admin/audit-log?limit=100')
  return body.items
    .filter((entry: AuditEntry) => entry.subject_id === subjectId)
    .map(({ actor_email, action, subject, reason }: AuditEntry) => ({ actor_email, action, subject, reason }))
    .reverse()
}

/** Returns how many deadlocks the database has broken up; each would have cost a request a second. */
export async function countDeadlocks(...apps: [TestApp, ...TestApp[]]): Promise<number> {
  // a connection reports its counts with a delay: flush those of all pools, concurrently so that no connection is left out
  for (const { db, config } of apps) {
    await Promise.all(
      Array.from({ length: config.DATABASE_POOL }, () => db`select pg_stat_force_next_flush(), pg_sleep(0.1)`),
    )
  }
  const [seen] = await apps[0].db<{ count: number }[]>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`
  return seen!.count // the current database always has its row
}
