import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newEmail, PASSWORD, testApp } from '../test/app.ts'
import { postLink, waitForMailedLink } from '../test/auth-links.ts'

const app = await testApp({ settings: { AUTH_AUTOCONFIRM: 'false', LIMIT_SCALE: '1' } })
after(() => app.close())

async function signUp(email: string) {
  const { status, body } = await app.visitor.post('/auth/v1/signup', { email, password: PASSWORD })
  assert.deepEqual([status, body.identities?.length], [200, 1], email)
  assert.equal((await postLink(app, await waitForMailedLink(app, email))).status, 200)
  return app.signIn(email, PASSWORD)
}

test('each address of a mailbox has an account of its own, and all of them are one person to the limits', async () => {
  const { plate } = await app.vehicle(await signUp(newEmail()))
  const email = newEmail()
  const first = await signUp(email)
  const send = (who: typeof first) => who.post('/api/messages', { plate, content: 'Your lights are on' })
  assert.equal((await send(first)).status, 201)
  for (const tag of ['a', 'b', 'c', 'd']) {
    assert.equal((await send(await signUp(email.replace('@', `+${tag}@`)))).status, 201)
  }
  // five messages a day to one vehicle, whichever account they come from
  assert.equal((await send(await signUp(email.replace('@', '+e@')))).status, 429)
  assert.equal((await send(first)).status, 429)
})
