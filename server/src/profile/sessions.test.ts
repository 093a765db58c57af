import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, type Person, testApp } from '../test/app.ts'
import { extractAuthLink, openLink } from '../test/auth-links.ts'
import { fieldsOf } from '../test/fields.ts'

const app = await testApp()

describe('the list of sessions', () => {
  type Listed = { id: string; user_agent: string | null; current: boolean; last_seen_at: string; signed_in_at: string }
  const list = async (who: Caller, query = ''): Promise<{ items: Listed[]; next: string | null }> => {
    const { status, body } = await who.get(`/api/sessions${query}`)
    assert.equal(status, 200)
    return body
  }
  const signInFrom = async ({ email, password }: Person, agent: string) => {
    const { body } = await app.visitor.post(
      '/auth/v1/token?grant_type=password',
      { email, password },
      { 'user-agent': agent },
    )
    return { ...app.withToken(body.access_token), refreshToken: body.refresh_token as string }
  }

  test('shows the user agent of each device, the last active first, and never an IP address', async () => {
    const person = await app.user()
    const phone = await signInFrom(person, 'Phone/1')
    const tablet = await signInFrom(person, 'Tablet/1')
    await app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: phone.refreshToken })

    const { items, next } = await list(tablet)
    assert.deepEqual(fieldsOf(items.slice(0, 2), 'user_agent', 'current'), [
      ['Phone/1', false],
      ['Tablet/1', true],
    ])
    assert.equal(items.filter(({ current }) => current).length, 1)
    assert.equal(next, null)
    assert.deepEqual(Object.keys(items[0]!).sort(), ['current', 'id', 'last_seen_at', 'signed_in_at', 'user_agent'])
    assert.ok(items[0]!.last_seen_at > items[0]!.signed_in_at, 'the phone was refreshed after its sign-in')
    assert.ok(!(await tablet.get('/api/sessions')).text.includes('127.0.0.1'))
  })

  test('contains only the person’s own sessions, and none that was signed out', async () => {
    const [person, other] = [await app.user(), await app.user()]
    const phone = await signInFrom(person, 'Phone/2')
    const agents = async () => (await list(person)).items.map(({ user_agent }) => user_agent)
    assert.ok((await agents()).includes('Phone/2'))
    assert.ok(!(await list(other)).items.some(({ user_agent }) => user_agent === 'Phone/2'))

    assert.equal((await person.post('/auth/v1/logout?scope=others')).status, 204)
    assert.deepEqual(fieldsOf((await list(person)).items, 'current'), [true])
    assert.equal((await phone.get('/api/sessions')).status, 401)
    assert.equal((await app.visitor.get('/api/sessions')).body.code, 'signed_out')
  })

  test('leaves out a session that a mail scanner opened, until somebody uses it', async () => {
    const person = await app.user()
    await app.visitor.post('/auth/v1/recover', { email: person.email })
    const [mail] = await app.mails(person.email)
    const { fragment } = await openLink(app, extractAuthLink(mail))
    const before = (await list(person)).items.length
    const opened = app.withToken(fragment['access_token']!)
    await opened.get('/auth/v1/user')
    assert.equal((await list(person)).items.length, before)
    await opened.get('/api/vehicles')
    assert.equal((await list(person)).items.length, before + 1)
  })

  test('is paged without gaps, also when sessions were active at the same moment', async () => {
    const person = await app.user()
    for (let i = 0; i < 6; i++) await signInFrom(person, `Device/${i}`)
    await app.db`
      update auth.sessions set refreshed_at = date_trunc('day', now())
        + (case when user_agent in ('Device/1', 'Device/2') then 0 else 1 end) * interval '1 microsecond'
      where user_id = ${person.id}`
    const all = (await list(person, '?limit=100')).items.map(({ id }) => id)
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const { items, next } = await list(person, `?limit=2${cursor}`)
      paged.push(...items.map(({ id }) => id))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    assert.deepEqual(paged, all)
    assert.ok(all.length >= 7 && new Set(all).size === all.length)
  })
})
