import assert from 'node:assert/strict'
import { hashMessageId } from '../collisions/card-encryption.ts'
import { newId } from '../db/ids.ts'
import { sqlState } from '../db/pool.ts'
import { BACKUP_RUN } from '../jobs/run-record.ts'
import { RETENTION } from '../retention.ts'
import { newEmail, type Person, type TestApp } from './app.ts'
import { startDispute } from './documents.ts'
import { sendMessage } from './messages.ts'
import { pdfWith, uploadDocument } from './upload.ts'

/** A thing of the table of periods, once it is there. */
type Plant = {
  /** Dates what was planted, as if its period had begun then. */
  date(at: string): PromiseLike<unknown>
  isThere(): Promise<boolean>
}

export const has = async (rows: PromiseLike<readonly unknown[]>) => (await rows).length > 0

const HIT = {
  kind: 'hit',
  province: 'Ontario',
  particulars: { name: 'Kim Roy', phone: '416 555 0100', address: '12 Main Street' },
  not_anonymous: true,
}

/** Sends a message to somebody else's vehicle. */
export async function sentMessage(app: TestApp): Promise<{ id: string; owner: Person; sender: Person }> {
  const [owner, sender] = [await app.user(), await app.user()]
  const { plate } = await app.vehicle(owner)
  return { id: await sendMessage(sender, plate), owner, sender }
}

/** Decides something about somebody of whom nothing else is known. */
export async function plantSanction(
  { db }: TestApp,
  kind: 'warn' | 'suspend',
): Promise<{ id: string; subjectId: string }> {
  const [id, subjectId] = [newId(), newId()]
  await db`
    insert into subjects (id, person_hash, created_at) values (${subjectId}, uuid_send(${subjectId}), '2020-01-01')`
  await db`insert into sanctions (id, subject_id, kind) values (${id}, ${subjectId}, ${kind})`
  return { id, subjectId }
}

/** Returns how each thing of the table comes about. A row that is added to the table needs one here. */
export function createPlants(app: TestApp): Record<keyof typeof RETENTION, () => Promise<Plant>> {
  const { db, context } = app

  async function sentCollision(collision: object): Promise<{ id: string; owner: Person; sender: Person }> {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const id = await sendMessage(sender, plate, 'About your bumper', { reason: 'accident', collision })
    return { id, owner, sender }
  }

  /** Returns what is a row of a table, dated by these of its columns. */
  const row = (table: string, by: string, id: string, ...times: string[]): Plant => ({
    async date(at) {
      for (const time of times) await db`update ${db(table)} set ${db(time)} = ${at} where ${db(by)} = ${id}`
    },
    isThere: () => has(db`select from ${db(table)} where ${db(by)} = ${id}`),
  })

  /** Leaves a note, and opens it or not. Its own time says when it ends. */
  async function plantNote(opens: boolean, period: string): Promise<Plant> {
    const sender = await app.user()
    const plate = `KEPT${opens ? 8 : 9}`
    const { code } = (await sender.post('/api/notes', { plate, content: 'Your lights are on' })).body
    if (opens) assert.equal((await app.visitor.post('/n', new URLSearchParams({ code, plate }))).status, 200)
    const [note] = await db<{ id: string }[]>`
      select n.id from notes n join messages m on m.id = n.message_id where m.sender_id = ${sender.id}`
    const { id } = note!
    return {
      date: (at) => db`update notes set expires_at = ${at}::timestamptz + ${period}::interval where id = ${id}`,
      isThere: () => has(db`select from notes where id = ${id}`),
    }
  }

  return {
    async deletions() {
      const id = newId()
      await db`insert into deletions (table_name, row_id, is_copied) values ('public.messages', ${id}, true)`
      return row('deletions', 'row_id', id, 'deleted_at')
    },
    async unconfirmedAccounts() {
      const id = newId()
      await db`insert into auth.users (id, email, person_hash) values (${id}, ${newEmail()}, '')`
      return row('auth.users', 'id', id, 'created_at', 'confirmation_sent_at')
    },
    idleSessions: async () => row('auth.sessions', 'user_id', (await app.user()).id, 'refreshed_at'),
    async sessionAddresses() {
      const { id } = await app.user()
      await db`update auth.sessions set ip = '203.0.113.7' where user_id = ${id}`
      return {
        date: (at) => db`update auth.sessions set created_at = ${at} where user_id = ${id}`,
        isThere: async () => {
          const [session] =
            await db`select host(ip) as ip, network_hash from auth.sessions where user_id = ${id} limit 1`
          assert.equal(session!['network_hash'] === null, session!['ip'] !== null)
          return session!['ip'] === '203.0.113.7'
        },
      }
    },
    accountEvents: async () => row('auth.events', 'user_id', (await app.user()).id, 'at'),
    async emailChanges() {
      const person = await app.user()
      assert.equal((await person.post('/api/email-change', { email: newEmail() })).status, 200)
      return row('auth.email_changes', 'user_id', person.id, 'requested_at')
    },
    async formerAddresses() {
      const { id, email } = await app.user()
      await db`insert into auth.former_addresses (id, user_id, email) values (${newId()}, ${id}, ${email})`
      return row('auth.former_addresses', 'user_id', id, 'changed_at')
    },
    async removedFactors() {
      const { id } = await app.user()
      await db`
        insert into auth.factors (id, user_id, factor_type, friendly_name, secret_encrypted, removed_at)
        values (${newId()}, ${id}, 'totp', '', '', now())`
      return row('auth.factors', 'user_id', id, 'removed_at')
    },
    async invitations() {
      const owner = await app.user()
      const { id } = await app.vehicle(owner)
      const { body } = await owner.post(`/api/vehicles/${id}/invitations`, { email: newEmail() })
      return row('vehicle_invitations', 'id', body.id, 'created_at')
    },
    async answerLinks() {
      const { id } = await sentMessage(app)
      await db`
        insert into answer_links (token_hash, message_id, user_id, shows_text)
        select uuid_send(m.id), m.id, v.user_id, true from messages m join vehicles v on v.id = m.vehicle_id where m.id = ${id}`
      return row('answer_links', 'message_id', id, 'created_at')
    },
    async receipts() {
      const owner = await app.user()
      const vehicle = await app.vehicle(owner)
      const { body: tag } = await owner.post(`/api/vehicles/${vehicle.id}/tag`)
      const message = new URLSearchParams({ plate_end: vehicle.plate.slice(-3), reason: 'alarm' })
      const { body } = await app.visitor.post(`/t/${tag.token}`, message)
      const [receipt] = await db<{ id: string; message_id: string }[]>`
        select id, message_id from receipts order by id desc limit 1`
      await owner.delete(`/api/vehicles/${vehicle.id}`) // nobody else has the message then
      return {
        date: (at) => db`update receipts set created_at = ${at} where id = ${receipt!.id}`,
        isThere: async () => {
          const isThere = await has(db`select from messages where id = ${receipt!.message_id}`)
          const { status } = await app.visitor.get(`/api/receipts/${body.RECEIPT}`)
          assert.equal(status, isThere ? 200 : 404)
          return isThere
        },
      }
    },
    async knownNetworks() {
      const earlier = await db<{ key: string }[]>`select key from rate_counters`
      const { email, password } = await app.user()
      await app.signIn(email, password)
      const known = () => db<{ key: string }[]>`
        select key from rate_counters
        where key like 'known-network:%' and key <> all(${earlier.map(({ key }) => key)}::text[])`
      const keys = (await known()).map(({ key }) => key)
      assert.ok(keys.length > 0)
      return {
        // it says itself when it ends
        date: (at) =>
          db`update rate_counters set expires_at = expires_at - (now() - ${at}) where key = any(${keys}::text[])`,
        isThere: () => has(known()),
      }
    },
    async counters() {
      const key = `count-of-${newId()}`
      await db`insert into rate_counters (key, window_start, count, expires_at) values (${key}, now(), 1, now() + interval '1 day')`
      return {
        date: (at) => db`
          update rate_counters set window_start = ${at}, expires_at = ${at}::timestamptz + ${RETENTION.counters}::interval
          where key = ${key}`,
        isThere: () => has(db`select from rate_counters where key = ${key}`),
      }
    },
    async challenges() {
      const { challenger } = await startDispute(app, 'KEPT1')
      return row('challenges_started', 'user_id', challenger.id, 'created_at')
    },
    async disputeDocuments() {
      const { challenger, vehicles } = await startDispute(app, 'KEPT2')
      const { id } = vehicles.challenger
      const { status, body } = await uploadDocument(challenger, id, pdfWith('a licence'), { type: 'application/pdf' })
      assert.equal(status, 201)
      return {
        date: (at) => db`update plate_disputes set documents_due_at = ${at} where challenger_vehicle_id = ${id}`,
        isThere: async () => {
          const { items } = (await challenger.get(`/api/vehicles/${id}/documents`)).body
          return items.some((item: { id: string }) => item.id === body.id)
        },
      }
    },
    unopenedNotes: () => plantNote(false, RETENTION.unopenedNotes),
    openedNotes: () => plantNote(true, RETENTION.openedNotes),
    async finishedMails() {
      const form = { name: 'Sam Roy', email: newEmail(), subject: 'partnership', message: 'Hello' }
      assert.equal((await app.visitor.post('/send-email', { type: 'contact', ...form })).status, 200)
      const [mail] = await db<{ id: string; ref_id: string }[]>`
        update outbox set failed_at = now() where kind = 'contact' returning id, ref_id`
      return {
        ...row('outbox', 'id', mail!.id, 'created_at'),
        // with what somebody wrote
        isThere: () =>
          has(db`select from outbox o, contact_submissions s where o.id = ${mail!.id} or s.id = ${mail!.ref_id}`),
      }
    },
    async capturedMails() {
      const id = newId()
      await db`insert into captured_mails (id, "to", subject, "text", html, headers) values (${id}, ${newEmail()}, '', '', '', '{}')`
      return row('captured_mails', 'id', id, 'sent_at')
    },
    async commandRuns() {
      const earlier = new Date(0)
      await db`insert into operations_runs (name, started_at, ended_at, ok) values (${BACKUP_RUN}, ${earlier}, ${earlier}, true)`
      let startedAt = earlier.toISOString()
      return {
        date: async (at) => {
          await db`update operations_runs set started_at = ${at} where name = ${BACKUP_RUN} and started_at = ${startedAt}`
          startedAt = at
        },
        isThere: () => has(db`select from operations_runs where name = ${BACKUP_RUN} and started_at = ${startedAt}`),
      }
    },
    async messages() {
      const { id, owner, sender } = await sentMessage(app)
      assert.equal((await owner.post(`/api/messages/${id}/reply`, { reply: 'Thank you' })).status, 200)
      return {
        date: (at) => db`
          update messages set inserted_at = ${at}::timestamptz - interval '3 years', replied_at = ${at} where id = ${id}`,
        isThere: async () => {
          const statuses = [
            (await owner.get(`/api/messages/${id}`)).status,
            (await sender.get(`/api/messages/${id}`)).status,
          ]
          assert.equal(statuses[0], statuses[1])
          return statuses[0] === 200
        },
      }
    },
    async collisions() {
      const { id, sender } = await sentCollision({ kind: 'saw', witness: true })
      return {
        date: (at) => db`update messages set inserted_at = ${at} where id = ${id}`,
        isThere: async () => (await sender.get(`/api/messages/${id}`)).status === 200,
      }
    },
    async collisionCards() {
      const { id, owner, sender } = await sentCollision(HIT)
      const hash = hashMessageId(context.keyring, id)
      return {
        date: (at) => db`update collision_cards set created_on = ${at}::timestamptz::date where message_hash = ${hash}`,
        isThere: async () => {
          const isThere = await has(db`select from collision_cards where message_hash = ${hash}`)
          for (const person of [owner, sender]) {
            assert.equal((await person.get(`/api/messages/${id}/collision`)).status, isThere ? 200 : 404)
          }
          return isThere
        },
      }
    },
    async auditLog() {
      const id = newId()
      await db`
        insert into audit_log (id, action, subject, subject_id) values (${id}, 'vehicle_deleted', 'ABC123 · Ontario', ${newId()})`
      return {
        async date(at) {
          // as nobody can, the product included: until its day comes an entry can be neither changed nor deleted
          await assert.rejects(db`delete from audit_log where id = ${id}`, (error) => sqlState(error) === '23001')
          await assert.rejects(
            db`update audit_log set at = ${at} where id = ${id}`,
            (error) => sqlState(error) === '23001',
          )
          await db.begin(async (tx) => {
            await tx`alter table audit_log disable trigger user`
            await tx`update audit_log set at = ${at} where id = ${id}`
            await tx`alter table audit_log enable trigger user`
          })
        },
        isThere: () => has(db`select from audit_log where id = ${id}`),
      }
    },
    async reportedMessages() {
      const { id, owner } = await sentMessage(app)
      const report = await owner.post(`/api/messages/${id}/report`, { reason: 'threat', note: 'I am afraid' })
      assert.equal(report.status, 201, report.text)
      // the case outlives what it is about
      await db`delete from messages where id = ${id}`
      const [row] = await db<{ id: string; subject_id: string }[]>`
        select id, subject_id from report_cases where message_id = ${id}`
      await db`update subjects set created_at = '2020-01-01' where id = ${row!.subject_id}`
      return {
        date: (at) => db`update report_cases set created_at = ${at} where id = ${row!.id}`,
        isThere: async () => {
          const isThere = await has(db`select from report_cases where id = ${row!.id}`)
          assert.equal(await has(db`select from reports where case_id = ${row!.id}`), isThere)
          assert.equal(await has(db`select from subjects where id = ${row!.subject_id}`), isThere)
          return isThere
        },
      }
    },
    async sanctions() {
      const [warning, suspension] = [await plantSanction(app, 'warn'), await plantSanction(app, 'suspend')]
      return {
        async date(at) {
          await db`update sanctions set created_at = ${at} where id = ${warning.id}`
          await db`
            update sanctions set created_at = ${at}::timestamptz - interval '3 years', ends_at = ${at} where id = ${suspension.id}`
        },
        isThere: async () => {
          const isThere = await has(db`select from sanctions where id = ${warning.id}`)
          assert.equal(await has(db`select from sanctions where id = ${suspension.id}`), isThere)
          assert.equal(await has(db`select from subjects where id = ${warning.subjectId}`), isThere)
          return isThere
        },
      }
    },
  }
}
