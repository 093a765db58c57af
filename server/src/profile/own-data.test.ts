import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { allItems, type Caller, type Person, testApp } from '../test/app.ts'
import { extractAuthLink, openLink, waitForMailedLink } from '../test/auth-links.ts'
import { createAdmin, registerPlate } from '../test/disputes.ts'
import { fieldsOf } from '../test/fields.ts'
import { drawPng, uploadImage } from '../test/upload.ts'

const app = await testApp()

describe('the export', () => {
  const upload = async (who: Person) => {
    return (await uploadImage(who, await drawPng())).body as { id: string; url: string }
  }
  const send = async (who: Person, message: object, key?: string) => {
    const { status, body, text } = await who.post('/api/messages', message, key ? { 'idempotency-key': key } : {})
    assert.equal(status, 201, text)
    return body.id as string
  }
  const exported = async (who: Person) => {
    const response = await who.get('/api/export')
    assert.equal(response.status, 200, response.text)
    return response
  }

  test('is one download with everything; that nothing is of anybody else is in confidentiality.test.ts', async () => {
    const person = await app.user({ full_name: 'Ève Côté' })
    const friend = await app.user()
    const [own, other] = [await app.vehicle(person), await app.vehicle(friend)]
    const [theirs, mine, unsent] = [await upload(friend), await upload(person), await upload(person)]
    const received = await send(
      friend,
      {
        plate: own.plate,
        content: 'Vos phares « restent » allumés\n\u2028"',
        reason: 'lights_on',
        attachment_id: theirs.id,
      },
      'key-of-the-friend',
    )
    const sent = await send(person, { plate: other.plate, content: 'from me', attachment_id: mine.id }, 'key-of-mine-1')
    await person.post(`/api/messages/${received}/reply`, { reply: 'merci' })
    await friend.post(`/api/messages/${sent}/reply`, { reply: 'noted' })
    await person.post(`/api/messages/${received}/block`)
    await person.post(`/api/messages/${received}/report`, { reason: 'spam', note: 'Encore' })
    await person.post(`/api/messages/${sent}/report`, { reason: 'other' })
    await registerPlate(person, 'RIVAL1')
    await registerPlate(friend, 'RIVAL1')
    await person.patch('/api/preferences', { locale: 'fr-CA' })
    await app.mails(person.email, 3)

    const { body, text, headers } = await exported(person)
    const day = new Date().toISOString().slice(0, 10)
    assert.equal(headers.get('content-disposition'), `attachment; filename="platenote-export-${day}.json"`)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.ok(headers.get('content-security-policy'))

    const page = readFileSync(join(import.meta.dirname, '../../../docs/export.md'), 'utf8')
    const described = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names]) =>
      names!.replaceAll('`', '').split(', '),
    )
    assert.deepEqual(Object.keys(body), described)
    const { id, email, full_name, last_sign_in_at } = body.account
    assert.deepEqual([id, email, full_name], [person.id, person.email, 'Ève Côté'])
    assert.ok(Date.parse(last_sign_in_at) > Date.now() - 60_000)
    assert.deepEqual(body.preferences, (await person.get('/api/preferences')).body)
    assert.equal(body.preferences.locale, 'fr-CA')
    assert.deepEqual(body.push, { message_text: false, devices: [] })
    assert.ok(body.sessions.length >= 1 && body.sessions.every((one: { ip: string }) => one.ip === '127.0.0.1'))
    assert.deepEqual(body.second_factors, [])
    assert.ok(body.account_events.some((event: { type: string }) => event.type === 'sign_in'))
    const [rival, first] = body.vehicles
    assert.deepEqual([rival.plate, rival.status, rival.dispute.role], ['RIVAL1', 'pending_verification', 'incumbent'])
    assert.ok(Date.parse(rival.dispute.documents_due_at) > Date.now())
    assert.deepEqual([first.id, first.plate, first.dispute, first.reject_reason], [own.id, own.plate, null, null])

    // as the person's own lists show them
    const listed = async (path: string) => (await person.get(path)).body.items as { image_url: string | null }[]
    const withUrls = (messages: { image_url: string | null }[]) =>
      messages.map((one) => ({ ...one, image_url: one.image_url && `http://platenote.test${one.image_url}` }))
    const [receivedMessage] = body.messages_received
    assert.equal(receivedMessage.content, 'Vos phares « restent » allumés\n\u2028"')
    assert.deepEqual(body.messages_received, withUrls(await listed('/api/messages')))
    assert.deepEqual(body.messages_sent, withUrls(await listed('/api/messages?view=sent')))
    assert.deepEqual(body.notifications, await listed('/api/notifications'))
    const [block, ...otherBlocks] = body.blocks
    assert.deepEqual([block.plate, block.view, otherBlocks], [own.plate, 'received', []])
    assert.equal(block.message_inserted_at, receivedMessage.inserted_at)
    const reports = body.reports.map(({ created_at: _, ...report }: { created_at: string }) => report)
    assert.deepEqual(reports, [
      { message_id: sent, reported: 'reply', reason: 'other', note: null },
      { message_id: received, reported: 'message', reason: 'spam', note: 'Encore' },
    ])
    assert.deepEqual(body.challenges, [])
    const images = body.attachments.map(({ id, message_id, url }: Record<string, string>) => [id, message_id, url])
    assert.deepEqual(images, [
      [unsent.id, null, `http://platenote.test${unsent.url}`],
      [mine.id, sent, `http://platenote.test${mine.url}`],
    ])
    const kinds = new Set(body.emails.map(({ kind }: { kind: string }) => kind))
    assert.deepEqual(kinds, new Set(['message', 'reply', 'dispute_incumbent']))

    const raw = text + JSON.stringify([...headers])
    // nothing that would give access to the account to somebody who finds the file
    const hashes = await app.db<{ hash: string }[]>`
      select encrypted_password as hash from auth.users where id = ${person.id}
      union all select encode(t.token_hash, 'hex') from auth.refresh_tokens t`
    for (const value of [person.token, person.refreshToken, ...hashes.map(({ hash }) => hash)]) {
      assert.ok(!raw.includes(value))
    }
  })

  test('shows challengers their challenges, and owners why a vehicle was rejected', async () => {
    const [admin, owner, challenger] = [await createAdmin(app), await app.user(), await app.user()]
    await registerPlate(owner, 'TELL1')
    const { vehicle } = (await registerPlate(challenger, 'TELL1')).body
    const rejected = await admin.post(`/api/admin/vehicles/${vehicle.id}/reject`, {
      reason: 'The papers are illegible.',
    })
    assert.equal(rejected.status, 204, rejected.text)

    const { body } = await exported(challenger)
    assert.deepEqual(
      body.vehicles.map((one: Record<string, unknown>) => [one['status'], one['reject_reason']]),
      [['rejected', 'The papers are illegible.']],
    )
    assert.equal(body.challenges.length, 1)
    assert.deepEqual(Object.keys(body.challenges[0]), ['started_at'])
  })

  test('contains every one of many messages, newest first, and a damaged one does not affect the rest', async () => {
    const [person, friend] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(person)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      // more than are read at a time
      const batch = Array.from({ length: 50 }, () => send(friend, { plate, content: 'one of many' }))
      ids.push(...(await Promise.all(batch)))
    }
    await app.db`update messages set content_encrypted = '\\x00' where id = ${ids[200]!}`
    const { body } = await exported(person)
    const messages = body.messages_received as { id: string; content: string }[]
    assert.deepEqual(fieldsOf(messages, 'id'), ids.sort().reverse())
    assert.deepEqual(
      messages.filter(({ content }) => content !== 'one of many').map(({ content }) => content),
      ['This message cannot be shown.'],
    )
    assert.equal(body.notifications.length, ids.length)
    assert.equal((await exported(friend)).body.messages_sent.length, ids.length)
  })

  test('is open to the session of an emailed link, and uses the link up: whoever was in the mailbox for a minute is seen', async () => {
    const person = await app.user()
    const before = (await person.get('/api/sessions')).body.items.length
    await app.visitor.post('/auth/v1/recover', { email: person.email })
    const link = await waitForMailedLink(app, person.email)
    const reader = app.withToken((await openLink(app, link)).fragment['access_token']!)
    const { status, body, text } = await reader.get('/api/export')
    assert.equal(status, 200, text)
    assert.equal(body.sessions.length, before + 1)
    assert.equal((await openLink(app, link)).fragment['error_code'], 'otp_expired')
    assert.equal((await person.get('/api/sessions')).body.items.length, before + 1)
    assert.equal((await person.get('/api/account-events')).body.items[0].type, 'link_used')
  })
})

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
    assert.deepEqual(fieldsOf(await allItems(person, '/api/sessions?limit=2'), 'id'), all)
    assert.ok(all.length >= 7 && new Set(all).size === all.length)
  })
})
