import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp, testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'
import { type FakeBrowser, startFakePushService } from '../test/fake-push-service.ts'
import { leave, received } from '../test/tags.ts'
import { leaseReceiptPushes, renewReceiptPushes } from './queries.ts'

type Service = Awaited<ReturnType<typeof startFakePushService>>

describe('guests who are notified of an answer', () => {
  let [hanging, working]: Service[] = []
  let web: TestApp
  let settings: { PUSH_HOSTS: string }
  before(async () => {
    ;[hanging, working] = [await startFakePushService(), await startFakePushService()]
    settings = { PUSH_HOSTS: `${hanging.origin},${working.origin}` }
    web = await testApp({ settings: { ...settings, ROLE: 'web' } })
  })
  after(async () => {
    await web.close()
    await hanging!.close()
    await working!.close()
  })

  /** Leaves a message at a vehicle, asks for a push, and lets the owner answer. */
  async function answerGuest({ endpoint, keys }: FakeBrowser): Promise<void> {
    const owner = await web.user()
    const vehicle = await web.vehicle(owner)
    const { body: tag } = await owner.post(`/api/vehicles/${vehicle.id}/tag`)
    const { body } = await leave(web.visitor, tag.token, vehicle.plate.slice(-3))
    assert.equal((await web.visitor.post(`/api/receipts/${body.receipt}/push`, { endpoint, keys })).status, 204)
    const [message] = await received(owner)
    assert.equal((await owner.post(`/api/messages/${message.id}/reply`, { answer: 'coming' })).status, 200)
  }

  test('do not wait for the push service of another', async () => {
    const worker = await testApp({ settings, sibling: { config: web.config, database: web.database } })
    try {
      const [slow, quick] = [hanging!.browser(), working!.browser()]
      hanging!.answer(slow, 'silence')
      await answerGuest(slow)
      await eventually(async () => {
        const [row] = await web.db`select from receipt_pushes where endpoint = ${slow.endpoint} and tries = 1`
        return row
      })
      await answerGuest(quick)
      await quick.pushes()
      // which the other one still waits for: afterwards it is put off for a minute
      const [row] = await web.db`
        select from receipt_pushes where endpoint = ${slow.endpoint} and next_at < now() + interval '15 seconds'`
      assert.ok(row)
    } finally {
      await worker.close()
    }
  })

  test('are leased to one worker, which keeps them by renewing its lease unless another one has taken over', async () => {
    await web.db`delete from receipt_pushes`
    for (let i = 0; i < 2; i++) await answerGuest(working!.browser())
    const expire = () => web.db`update receipt_pushes set next_at = now() - interval '1 second'`
    const leases = await leaseReceiptPushes(web.db, 2)
    assert.equal(leases.length, 2)
    assert.deepEqual(await leaseReceiptPushes(web.db, 2), [])
    await expire()
    const [taken] = await leaseReceiptPushes(web.db, 1)
    await expire()
    await renewReceiptPushes(web.db, leases)
    const due = await leaseReceiptPushes(web.db, 2)
    assert.deepEqual(
      due.map(({ id }) => id),
      [taken!.id],
    )
  })
})
