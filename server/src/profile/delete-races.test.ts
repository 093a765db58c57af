import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { cleanUpAttachments } from '../attachments/cleanup.ts'
import { makeAnswerLinks } from '../messages/answer-links.ts'
import { deleteAccount, type Person, type TestResponse, testApp } from '../test/app.ts'
import { countDeadlocks, createThreeUsers, createTwoUsers, registerPlate, vehicleStates } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { holdLocks, waitForLockWaits } from '../test/locks.ts'
import { sendMessage } from '../test/messages.ts'
import { runsAll } from '../test/runs-all.ts'
import { uploadImage } from '../test/upload.ts'

const app = await testApp()
const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#345' } })
  .png()
  .toBuffer()

/**
 * Whatever a person or somebody else does while the account is deleted is done or refused; nothing is left that refers
 * to the account, and no response is a server error.
 */
describe('while an account is deleted', () => {
  const ROUNDS = runsAll ? 8 : 3
  const remove = (who: Person) => who.post('/functions/v1/delete-user', { id: who.id })

  /** Runs calls concurrently with a deletion, which starts at a different position among them in each round. */
  async function runDuringDeletion(
    who: Person,
    round: number,
    calls: (() => Promise<TestResponse>)[],
  ): Promise<TestResponse[]> {
    const all = calls.toSpliced(Math.floor((calls.length * round) / ROUNDS), 0, () => remove(who))
    const responses = await Promise.all(all.map((call) => call()))
    const errors = responses.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`)
    assert.deepEqual(errors, [])
    assert.equal((await app.db`select 1 from auth.users where id = ${who.id}`).length, 0)
    return responses
  }

  test('messages, replies and images from and to it are stored completely or refused, and those from it have no sender', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [leaver, friend] = await createTwoUsers(app)
      const [own, other] = [await app.vehicle(leaver), await app.vehicle(friend)]
      const send = (who: Person, plate: string) => (_: unknown, i: number) => () =>
        who.post('/api/messages', { plate, content: `n ${i}` }, { 'idempotency-key': `round-${round}-${i}` })
      const sendSome = async (who: Person, plate: string) => {
        const sent = Array.from({ length: 6 }, () => who.post('/api/messages', { plate, content: 'reply to me' }))
        return (await Promise.all(sent)).map(({ body }) => body.id as string)
      }
      const [fromLeaver, toLeaver] = [await sendSome(leaver, other.plate), await sendSome(friend, own.plate)]
      const reply = (who: Person) => (id: string) => () => who.post(`/api/messages/${id}/reply`, { reply: 'yes' })
      const responses = await runDuringDeletion(leaver, round, [
        ...fromLeaver.map(reply(friend)),
        ...Array.from({ length: 9 }, send(leaver, other.plate)),
        ...Array.from({ length: 3 }, () => () => uploadImage(leaver, picture)),
        ...toLeaver.map(reply(leaver)),
        ...Array.from({ length: 9 }, send(friend, own.plate)),
      ])
      const codes = new Set(responses.map(({ status, body }) => body.code ?? status))
      const possible = [200, 201, 'session_ended', 'plate_not_registered', 'not_found']
      for (const code of codes) assert.ok(possible.includes(code), `${code}`)

      const stored = await app.db<{ id: string; sender_id: string | null; idempotency_key: string | null }[]>`
        select id, sender_id, idempotency_key from messages where vehicle_id = ${other.id}`
      assert.ok(stored.every((row) => row.sender_id === null && row.idempotency_key === null))
      const notifications = await app.db`
        select 1 from messages m join notifications n on n.message_id = m.id where m.vehicle_id = ${other.id}`
      assert.equal(notifications.length, stored.length)
      assert.equal((await app.db`select 1 from messages where vehicle_id = ${own.id}`).length, 0)
      const replied =
        await app.db`select 1 from messages where vehicle_id = ${other.id} and reply_encrypted is not null`
      const accepted = responses.filter(({ status, body }) => status === 200 && fromLeaver.includes(body.id))
      assert.deepEqual([accepted.length, replied.length], [6, 6])
    }
    await cleanUpAttachments(app.context)
    assert.equal((await app.db`select 1 from attachments`).length, 0)
    const folder = join(app.config.DATA_DIR, 'attachments')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    // the journal of deletions is kept beside the images (decision backup-and-restore)
    const images = files.filter(({ name }) => !/^deletions-[\d-]+\.json$/.test(name))
    assert.deepEqual(images, [])
  })

  test('its changes are refused because the session ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const leaver = await app.user()
      const phone = await app.signIn(leaver.email, leaver.password)
      const refresh = { refresh_token: phone.refreshToken }
      const { email, password } = leaver
      const responses = await runDuringDeletion(leaver, round, [
        () => registerPlate(leaver, `RACE${round}`),
        () => leaver.patch('/api/preferences', { locale: 'fr-CA' }),
        () => app.visitor.post('/auth/v1/token?grant_type=refresh_token', refresh),
        () => leaver.put('/auth/v1/user', { data: { full_name: 'Somebody Else' } }),
        () => registerPlate(phone, `RACE${round}B`),
        () => phone.post('/auth/v1/logout?scope=local'),
        () => app.visitor.post('/auth/v1/recover', { email }),
        () => app.visitor.post('/auth/v1/token?grant_type=password', { email, password }),
        () => phone.patch('/api/preferences', { email_messages: false }),
        () => leaver.get('/api/export'),
        () => app.visitor.post('/auth/v1/signup', { email, password }),
        () => leaver.post('/api/notifications/read-all'),
      ])
      assert.ok(responses.every(({ status }) => [200, 204, 400, 401, 403, 422].includes(status)))
      assert.equal((await registerPlate(await app.user(), `RACE${round}`)).body.status, 'registered')
    }
  })

  test('people who wrote to each other can all delete their accounts at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const circle = await Promise.all(Array.from({ length: 6 }, () => app.user()))
      const plates = await Promise.all(circle.map(async (who) => (await app.vehicle(who)).plate))
      const sent = circle.flatMap((who, i) =>
        plates.filter((_, j) => j !== i).map((plate) => who.post('/api/messages', { plate, content: 'to all' })),
      )
      assert.ok((await Promise.all(sent)).every(({ status }) => status === 201))
      const responses = await Promise.all(circle.map(remove))
      assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    }
  })

  test('both sides of a dispute can delete their accounts at the same moment, also one who is in two disputes', async () => {
    for (let round = 0; round < 5; round++) {
      const [left, middle, right] = await createThreeUsers(app)
      await registerPlate(left, `PAIR${round}A`)
      await registerPlate(middle, `PAIR${round}B`)
      await registerPlate(middle, `PAIR${round}A`)
      await registerPlate(right, `PAIR${round}B`)
      const responses = await Promise.all([remove(left), remove(middle)])
      assert.deepEqual(fieldsOf(responses, 'status'), [200, 200])
      assert.deepEqual(await vehicleStates(right), ['active'])
      assert.equal((await app.db`select 1 from plate_disputes`).length, 0)
    }
  })

  test('links for an email about several messages wait without holding it up', async (t) => {
    const [owner, leaver] = await createTwoUsers(app)
    const { plate } = await app.vehicle(owner)
    const kept = await sendMessage(await app.user(), plate)
    const deleted = await sendMessage(leaver, plate) // it goes with its recipient: it has no sender any more
    await deleteAccount(leaver)
    const letGo = await holdLocks(t, app.db, (tx) => tx`select from auth.users where id = ${owner.id} for key share`)
    const deletion = remove(owner)
    await waitForLockWaits(app.db)
    const links = makeAnswerLinks(app.context, owner.id, [kept, deleted], true)
    const refused = assert.rejects(links, { code: '23503' })
    await waitForLockWaits(app.db, 2)
    await letGo()
    assert.equal((await deletion).status, 200)
    await refused
  })

  test('the database never reports a deadlock', async () => {
    assert.equal(await countDeadlocks(app), 0)
  })
})
