import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOR_DOCUMENTS, inboundAddress } from '../email/inbound-address.ts'
import { hashPerson } from '../limits/canonical-address.ts'
import { type Person, type TestResponse, testApp } from '../test/app.ts'
import { CIVIC, createAdmin, createUsers, expireDocumentsDueDate, openChallenges } from '../test/disputes.ts'
import { deliver, INBOUND, writeMail } from '../test/documents.ts'
import { pdfWith, uploadDocument } from '../test/upload.ts'
import { settleOverdueDisputes } from './settle-overdue-disputes.ts'

// What becomes of a plate that several people register, and what each of them is told: written out for the cases that are hard.

const app = await testApp({ settings: { ...INBOUND, ROLE: 'web' } }) // no jobs run: overdue disputes are settled by the test, and queued emails stay to be counted
const admin = await createAdmin(app)

/**
 * The steps, each about the newest vehicle of the person with that number; behind a colon stands with which code it is refused. Then
 * what each of the people has in the end: their vehicles, their notifications in order, and their emails.
 */
const CASES: Record<string, { steps: string; people: string[] }> = {
  'the owner leaves three challengers: the oldest is the incumbent, and gains the plate when the others leave': {
    steps: 'register 0; register 1; register 2; register 3; remove 0; withdraw 2; withdraw 3',
    people: [
      'none | plate_disputed, vehicle_deleted | dispute_incumbent',
      'active | none | dispute_challenger, dispute_settled gained',
      'none | none | dispute_challenger',
      'none | none | dispute_challenger',
    ],
  },
  'the oldest challenger, who has the plate after the owner, is approved': {
    steps: 'register 0; register 1; register 2; leave 0; approve 1',
    people: [
      'none | none | none',
      'verified | vehicle_approved | dispute_challenger, vehicle_approved',
      'none | vehicle_deleted | dispute_challenger, vehicle_deleted',
    ],
  },
  'a verified vehicle stays live beside a challenge, and its challenger gets the plate when it is rejected': {
    steps: 'register 0; approve 0; register 1; reject 0',
    people: [
      'rejected | vehicle_approved, plate_disputed, vehicle_rejected | dispute_verified_owner, vehicle_approved, vehicle_rejected',
      'active | none | dispute_challenger, dispute_settled gained',
    ],
  },
  'the challenger of a verified vehicle is approved, and another one whose challenge had paused nothing is deleted': {
    steps: 'register 0; approve 0; register 1; register 2; approve 1',
    people: [
      'none | vehicle_approved, plate_disputed, vehicle_deleted | dispute_verified_owner, vehicle_approved, vehicle_deleted',
      'verified | vehicle_approved | dispute_challenger, vehicle_approved',
      'none | vehicle_deleted | dispute_challenger, vehicle_deleted',
    ],
  },
  'a plate that survived a challenge is not paused by the next, and is again after ninety days': {
    steps: 'register 0; register 1; reject 1; register 2; ninety days; register 3; withdraw 3; withdraw 2',
    people: [
      'active | plate_disputed, plate_disputed, plate_disputed | dispute_incumbent, dispute_incumbent, dispute_live_owner, dispute_settled restored, dispute_settled resumed, dispute_settled undisturbed',
      'rejected | vehicle_rejected | dispute_challenger, vehicle_rejected',
      'none | none | dispute_challenger',
      'none | none | dispute_challenger',
    ],
  },
  'one who took the owner’s place is live for the first time while another challenge waits, and then has it as anybody':
    {
      steps:
        'register 0; register 1; register 2; register 3; withdraw 0; withdraw 2; register 4; withdraw 3; ninety days; register 2; withdraw 2; withdraw 4',
      people: [
        'none | plate_disputed | dispute_incumbent',
        'active | plate_disputed | dispute_challenger, dispute_incumbent, dispute_settled resumed, dispute_settled started, dispute_settled undisturbed',
        'none | none | dispute_challenger, dispute_challenger',
        'none | none | dispute_challenger',
        'none | none | dispute_challenger',
      ],
    },
  'a verified vehicle stays when its only challenger leaves': {
    steps: 'register 0; approve 0; register 1; leave 1',
    people: [
      'verified | vehicle_approved, plate_disputed | dispute_settled stayed, dispute_verified_owner, vehicle_approved',
      'none | none | none',
    ],
  },
  'a rejected vehicle is not approved over a live one, and is over one that a challenge pauses': {
    steps: 'register 0; reject 0; register 1; approve 0: plate_is_live; register 2; approve 0',
    people: [
      'verified | vehicle_rejected, vehicle_approved | vehicle_approved, vehicle_rejected',
      'none | plate_disputed, vehicle_deleted | dispute_incumbent, vehicle_deleted',
      'none | vehicle_deleted | dispute_challenger, vehicle_deleted',
    ],
  },
  'of two overdue challengers one has sent documents, and takes them back': {
    steps:
      'register 0; register 1; register 2; upload 2; upload 0; passDate 1; passDate 2; job; unmark 2: documents_are_here; takeBack 2; job',
    people: [
      'active | plate_disputed | dispute_incumbent, dispute_settled restored',
      'rejected | vehicle_rejected | dispute_challenger, vehicle_rejected',
      'rejected | vehicle_rejected | dispute_challenger, vehicle_rejected',
    ],
  },
  'a document, a reply and a note of an admin each count by themselves': {
    steps:
      'register 0; register 1; upload 1; mail 1; takeBack 1; unmark 1; mark 1; upload 1; upload 1; upload 1: documents_full; takeBack 1; takeBack 1; passDate 1; job; unmark 1; job',
    people: [
      'active | plate_disputed | dispute_incumbent, dispute_settled restored',
      'rejected | vehicle_rejected | dispute_challenger, vehicle_rejected',
    ],
  },
}

type Vehicle = { id: string; status: string; dispute: { role: string } | null }
const vehiclesOf = async (who: Person): Promise<Vehicle[]> => (await who.get('/api/vehicles')).body.items

/** Takes steps about one plate. */
function createSteps(plate: string, users: Person[]): Record<string, (n: number) => Promise<TestResponse | undefined>> {
  const vehicle = async (n: number) => (await vehiclesOf(users[n]!))[0]!.id
  const challenge = async (n: number) => {
    const [id, open] = [await vehicle(n), await openChallenges(app, plate)]
    return open.find(({ challenger_vehicle_id }) => challenger_vehicle_id === id)!.id
  }
  const mark = async (n: number, documents_received: boolean) =>
    admin.patch(`/api/admin/disputes/${await challenge(n)}`, { documents_received })
  return {
    register: (n) => users[n]!.post('/register-plate', { plate, ...CIVIC }),
    withdraw: async (n) => users[n]!.delete(`/api/vehicles/${await vehicle(n)}`),
    approve: async (n) => admin.post(`/api/admin/vehicles/${await vehicle(n)}/approve`),
    reject: async (n) => admin.post(`/api/admin/vehicles/${await vehicle(n)}/reject`, { reason: 'Not readable' }),
    remove: async (n) => admin.delete(`/api/admin/vehicles/${await vehicle(n)}`),
    upload: async (n) => uploadDocument(users[n]!, await vehicle(n), pdfWith('a licence')),
    async takeBack(n) {
      const [document] = (await users[n]!.get(`/api/vehicles/${await vehicle(n)}/documents`)).body.items
      return users[n]!.delete(`/api/documents/${document.id}`)
    },
    async mail(n) {
      const to = inboundAddress(app.config, app.context.keyring, FOR_DOCUMENTS, await vehicle(n))!
      return deliver(app, writeMail({ to }))
    },
    mark: (n) => mark(n, true),
    unmark: (n) => mark(n, false),
    async passDate(n) {
      await expireDocumentsDueDate(app, [await challenge(n)])
      return undefined
    },
    async job() {
      await settleOverdueDisputes(app.context)
      return undefined
    },
    async leave(n) {
      const { id, email } = users[n]!
      const response = await users[n]!.post('/functions/v1/delete-user', { id })
      users[n] = await app.user({ email })
      return response
    },
    async ninety() {
      // the challenges of an account that was deleted are still those of its person
      const hashes = users.map(({ email }) => hashPerson(app.context.keyring, email))
      await app.db`
        update challenges_started set created_at = created_at - interval '91 days' where person_hash = any(${hashes}::bytea[])`
      await app.db`
        update vehicles set challenge_survived_at = challenge_survived_at - interval '91 days' where plate = ${plate}`
      return undefined
    },
  }
}

for (const [index, [name, { steps, people }]] of Object.entries(CASES).entries()) {
  test(name, async () => {
    const users = await createUsers(app, people.length)
    const plate = `CASE${index}`
    const take = createSteps(plate, users)
    const everything = async () => (await Promise.all(users.map(vehiclesOf))).flat()
    for (const step of steps.split('; ')) {
      const [, verb = '', n, code] = /^(\w+)(?: (\w+))?(?:: (\w+))?$/.exec(step)!
      const response = await take[verb]!(Number(n))
      assert.equal(response?.body?.code, code, `${step}: ${response?.text}`)
      assert.ok(code !== undefined || (response?.status ?? 200) < 300, `${step}: ${response?.text}`)
      const registered = (await everything()).filter(({ status }) => status !== 'rejected')
      assert.ok(registered.filter(({ status }) => status !== 'pending_verification').length <= 1, step)
      assert.equal((await openChallenges(app, plate)).length, Math.max(0, registered.length - 1), step)
    }
    const found = await Promise.all(
      users.map(async (who) => {
        const vehicles = (await vehiclesOf(who)).map(({ status, dispute }) =>
          dispute ? `${status} ${dispute.role}` : status,
        )
        const notices = (await who.get('/api/notifications')).body.items.map(({ type }: { type: string }) => type)
        const mails = await app.db<{ kind: string }[]>`
          select concat_ws(' ', kind, data->>'settlement') as kind from outbox where recipient_id = ${who.id}`
        const kinds = mails.map(({ kind }) => kind).sort()
        return [vehicles.sort(), notices.reverse(), kinds].map((words) => words.join(', ') || 'none').join(' | ')
      }),
    )
    assert.deepEqual(found, people)
  })
}
