import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testApp } from '../test/app.ts'
import { type FakeBrowser, startFakePushService } from '../test/fake-push-service.ts'
import { leave, received } from '../test/tags.ts'
import { leaseReceiptPushes, renewReceiptPushes } from './queries.ts'

const service = await startFakePushService()
const web = await testApp({ settings: { PUSH_HOSTS: service.origin, ROLE: 'web' } })
after(async () => {
  await web.close()
  await service.close()
})

describe('guests who are notified of an answer', () => {
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

  test('are leased to one worker, which keeps them by renewing its lease unless another one has taken over', async () => {
    for (let i = 0; i < 2; i++) await answerGuest(service.browser())
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
