import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SERVICE_ROLE_KEY, testApp } from '../../test/app.ts'
import { assertRefused } from '../../test/auth-links.ts'
import { grantAdmin } from '../admin-role.ts'

const app = await testApp({ settings: { SERVICE_ROLE_KEY } })
const keyless = await testApp({ sibling: app })

const service = app.withToken(SERVICE_ROLE_KEY)
const at = (id: string) => `/auth/v1/admin/users/${id}`

test('the service key deletes a user: the session ends, the address becomes free, and the deletion is recorded', async () => {
  const person = await app.user()
  const { status, body } = await service.delete(at(person.id), { should_soft_delete: false })
  assert.deepEqual([status, body], [200, {}])
  assertRefused(await person.get('/auth/v1/user'), 403, 'user_not_found')
  assertRefused(await service.get(at(person.id)), 404, 'user_not_found')
  const again = await service.delete(at(person.id))
  assertRefused(again, 404, 'user_not_found')
  assert.equal(again.body.msg, 'User not found')
  assert.notEqual((await app.user({ email: person.email })).id, person.id)
  const [entry] = await app.db`select actor_id, action from audit_log where subject_id = ${person.id}`
  assert.deepEqual({ ...entry }, { actor_id: null, action: 'user_deleted' })
})

test('a deletion needs no body, accepts null, and refuses a soft deletion', async () => {
  const [one, two, kept] = [await app.user(), await app.user(), await app.user()]
  assert.equal((await service.delete(at(one.id))).status, 200)
  assert.equal((await service.delete(at(two.id), { should_soft_delete: null, more: 1 })).status, 200)
  const soft = await service.delete(at(kept.id), { should_soft_delete: true })
  assertRefused(soft, 400, 'validation_failed')
  assert.equal(soft.body.msg, 'Soft deletion is not supported')
  for (const body of ['[]', '{', '{"should_soft_delete":"no"}']) {
    assertRefused(await service.delete(at(kept.id), body), 400, 'bad_json')
  }
  assert.equal((await kept.get('/auth/v1/user')).status, 200)
})

test('requests without the key, with a wrong one, or where there is none are refused', async () => {
  const person = await app.user()
  assertRefused(await app.visitor.get(at(person.id)), 401, 'no_authorization')
  assertRefused(
    await app.visitor.get(at(person.id), { authorization: `Basic ${SERVICE_ROLE_KEY}` }),
    401,
    'no_authorization',
  )
  assertRefused(await app.visitor.get(at(person.id), { apikey: SERVICE_ROLE_KEY }), 401, 'no_authorization')
  for (const wrong of [SERVICE_ROLE_KEY.slice(0, -1), `${SERVICE_ROLE_KEY}x`, SERVICE_ROLE_KEY.toUpperCase()]) {
    assertRefused(await app.withToken(wrong).delete(at(person.id)), 403, 'bad_jwt')
  }
  // without the setting there is no key
  for (const token of [SERVICE_ROLE_KEY, 'undefined', 'null']) {
    assertRefused(await keyless.withToken(token).delete(at(person.id)), 403, 'bad_jwt')
  }
  assert.equal((await person.get('/auth/v1/user')).status, 200)
})

test('the last admin is not deleted', async () => {
  const { id, email } = await app.user()
  await grantAdmin(app.db, email)
  const refused = await service.delete(at(id))
  assertRefused(refused, 409, 'conflict')
  assert.match(refused.body.msg, /last admin/)
  const french = await service.delete(at(id), undefined, { 'accept-language': 'fr-CA' })
  assert.match(french.body.msg, /dernier compte administrateur/)
  await grantAdmin(app.db, (await app.user()).email)
  assert.equal((await service.delete(at(id))).status, 200)
})
