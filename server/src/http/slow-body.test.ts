import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { revokeAdmin } from '../auth/admin-role.ts'
import { type Person, testApp } from '../test/app.ts'
import { createAdmin, createTwoUsers, onlyVehicleOf, registerPlate } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'

const app = await testApp()

/** Begins a request: the server has seen its headers, and its body is still to come. Returns a function that sends the body. */
async function beginRequest(who: Person, path: string) {
  const call = httpRequest(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
  })
  const result = new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      const read = async () => ({ status: response.statusCode, code: JSON.parse(await text(response)).code })
      read().then(resolve, reject)
    })
  })
  call.write('{')
  await who.get('/api/vehicles') // by then the headers have been read
  return async (rest: string) => {
    const started = performance.now()
    await eventually(async () => performance.now() - started > 1_500 || undefined)
    call.end(rest)
    return result
  }
}

test('an admin’s decision whose body arrives late is refused when the role was revoked meanwhile', async () => {
  await createAdmin(app) // one admin has to remain
  const former = await createAdmin(app)
  const [owner] = await createTwoUsers(app)
  await registerPlate(owner, 'SLOW1')
  const { id } = await onlyVehicleOf(owner)
  const finish = await beginRequest(former, `/api/admin/vehicles/${id}/reject`)
  assert.equal(await revokeAdmin(app.db, former.email), 'revoked')
  assert.deepEqual(await finish('"reason":"Late."}'), { status: 403, code: 'forbidden' })
  assert.equal((await onlyVehicleOf(owner)).status, 'active')
})
