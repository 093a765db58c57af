import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../db/ids.ts'
import { type Person, testApp } from '../test/app.ts'
import { openLink, postLink, waitForMailedLink } from '../test/auth-links.ts'
import { createAdmin, registerPlate } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { mailAbout, suspendAndSignIn } from '../test/sanctions.ts'
import { endIdleAccounts } from './end-idle-accounts.ts'

// Accounts that nobody uses end (decision 0116). Time passes by moving what is stored into the past.

const app = await testApp()
after(() => app.close())
const { db, context } = app

const round = () => endIdleAccounts(context)
const exists = async ({ id }: { id: string }) => (await db`select from auth.users where id = ${id}`).length === 1
const warningsTo = ({ id }: { id: string }) =>
  db<{ run_at: string }[]>`select run_at from outbox where kind = 'idle_warning' and recipient_id = ${id}`

/** Lets so much time pass for an account: all that is known of it lies further back. */
async function pass(who: { id: string }, time: string): Promise<void> {
  await db`
    update auth.account_uses set
      used_at = used_at - ${time}::interval, warning_queued_at = warning_queued_at - ${time}::interval,
      warned_at = warned_at - ${time}::interval
    where user_id = ${who.id}`
  await db`update auth.idle_watch set since = since - ${time}::interval`
}

/** Waits until a warning has left, and is known to have. */
const receiveWarning = async (who: Person) => {
  const mail = await mailAbout(app, who.email, /Log in to keep|Connectez-vous pour garder/)
  await eventually(async () => {
    const rows = await db`
      select from outbox where kind = 'idle_warning' and recipient_id = ${who.id} and sent_at is null`
    return rows.length === 0 ? true : undefined
  })
  await round()
  return mail
}

/** Lets 23 months pass, and waits until the warning has left. */
async function warn(who: Person): Promise<void> {
  await pass(who, '23 months 1 day')
  await round()
  await receiveWarning(who)
}

test('an account is warned at 23 months, once, and deleted after 24 with its vehicles; the log says so', async () => {
  const person = await app.user({ email: 'zoe.unused@example.com' })
  const { plate } = await app.vehicle(person)
  await pass(person, '22 months 25 days')
  await round()
  assert.equal((await warningsTo(person)).length, 0)

  await pass(person, '7 days')
  await round()
  const mail = await receiveWarning(person)
  assert.equal(mail.subject, 'Log in to keep your PlateNote account')
  const [row] = await db<{ day: string }[]>`
    select to_char((used_at + interval '24 months') at time zone 'America/Toronto', 'FMMonth FMDD, YYYY') as day
    from auth.account_uses where user_id = ${person.id}`
  assert.ok(mail.text.includes(`If nobody logs in by`) && mail.text.includes(row!.day), mail.text)
  assert.match(mail.text, /http:\/\/platenote\.test\/login/)
  await pass(person, '27 days')
  await round()
  assert.deepEqual([(await warningsTo(person)).length, await exists(person)], [1, true])

  await pass(person, '5 days')
  await round()
  assert.equal(await exists(person), false)
  assert.equal(
    (await (await app.user()).post('/api/messages', { plate, content: 'hello' })).body.code,
    'plate_not_registered',
  )
  const entries = await db`
    select actor_id, subject from audit_log where subject_id = ${person.id} and action = 'user_ended'`
  assert.deepEqual([...entries], [{ actor_id: null, subject: 'z•••@•••.com' }])
})

test('the warning is in the language of the account', async () => {
  const person = await app.user({ locale: 'fr-CA' })
  await warn(person)
  const mail = await mailAbout(app, person.email, /^Connectez-vous pour garder votre compte PlateNote$/)
  assert.match(mail.text, /d’ici le \S+ \S+ \S+ \d{4}/)
  assert.match(mail.text, /http:\/\/platenote\.test\/fr\/login/)
})

test('accounts unused for years when this begins are warned first, and have 28 days from the day the email leaves', async () => {
  const person = await app.user()
  await pass(person, '6 years')
  await round()
  await receiveWarning(person)
  await pass(person, '28 days')
  await round()
  assert.equal(await exists(person), true, 'the last day is not over')
  await pass(person, '2 days')
  await round()
  assert.equal(await exists(person), false)
})

test('logging in, renewing a session, a link and ending emails each keep an account; opening a link does not', async () => {
  const uses: Record<string, (who: Person) => Promise<unknown>> = {
    'logging in': (who) => app.signIn(who.email, who.password),
    'renewing a session': (who) =>
      app.visitor.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: who.refreshToken }),
    'a link': async (who) => {
      await app.visitor.post('/auth/v1/recover', { email: who.email })
      await postLink(app, await waitForLink(who))
    },
    'ending emails': async (who) => {
      const { plate } = await app.vehicle(who)
      await pass(who, '3 months')
      await (await app.user()).post('/api/messages', { plate, content: 'Your lights are on' })
      const mail = await mailAbout(app, who.email, new RegExp(plate))
      const [, path] = /http:\/\/platenote\.test(\/unsubscribe\/\S+)/.exec(mail.text) ?? []
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal((await app.visitor.post(path!, 'List-Unsubscribe=One-Click', form)).status, 200)
    },
  }
  const waitForLink = (who: Person) =>
    eventually(async () => {
      const mails = await app.mails(who.email)
      return mails.some(({ text }) => text.includes('/auth/v1/verify'))
        ? waitForMailedLink(app, who.email, 2)
        : undefined
    })
  for (const [name, use] of Object.entries(uses)) {
    const person = await app.user()
    await warn(person)
    await use(person)
    await pass(person, '2 months')
    await round()
    assert.equal(await exists(person), true, name)
    // and two years later there is another warning before anything else
    await pass(person, '23 months')
    await round()
    assert.deepEqual([name, (await warningsTo(person)).length, await exists(person)], [name, 2, true])
  }
  const scanned = await app.user()
  await warn(scanned)
  await app.visitor.post('/auth/v1/recover', { email: scanned.email })
  await openLink(app, await waitForLink(scanned))
  await pass(scanned, '2 months')
  await round()
  assert.equal(await exists(scanned), false)
})

test('a warning that was queued before somebody logged in is not sent', async () => {
  const person = await app.user()
  await pass(person, '23 months 1 day')
  await db`update auth.account_uses set warning_id = null where user_id = ${person.id}`
  // a long queue: the warning waits
  await db`
    insert into outbox (id, kind, ref_id, recipient_id, run_at)
    select gen_random_uuid(), 'idle_warning', gen_random_uuid(), ${person.id}, now() + interval '1 day'
    from generate_series(1, 3000)`
  await round()
  const waiting = async () =>
    (await db`select from outbox o join auth.account_uses a on a.warning_id = o.ref_id where a.user_id = ${person.id}`)
      .length
  assert.equal(await waiting(), 1)
  await app.signIn(person.email, person.password)
  await db`delete from outbox where ref_id not in (select warning_id from auth.account_uses where warning_id is not null)`
  await db`update outbox set run_at = now() where kind = 'idle_warning' and recipient_id = ${person.id}`
  context.outbox.wake()
  await eventually(async () => ((await waiting()) === 0 ? true : undefined))
  const { body } = await app.visitor.get(`/dev/mailbox.json?to=${encodeURIComponent(person.email)}`)
  assert.ok(body.every(({ subject }: { subject: string }) => !/Log in to keep/.test(subject)))
})

test('admins, and people for whom a dispute, a report or an appeal is open, are neither warned nor deleted', async () => {
  const admin = await createAdmin(app)
  const [owner, challenger, sender, reporter, suspended] = await Promise.all([1, 2, 3, 4, 5].map(() => app.user()))
  await registerPlate(owner!, 'IDLE1')
  await registerPlate(challenger!, 'IDLE1')
  const { plate } = await app.vehicle(reporter!)
  const { body } = await sender!.post('/api/messages', { plate, content: 'I know where you live' })
  const report = await reporter!.post(`/api/messages/${body.id}/report`, { reason: 'threat' })
  assert.equal(report.status, 201, report.text)
  await suspendAndSignIn(app, admin, suspended!)
  for (const who of [admin, owner!, challenger!, sender!, reporter!, suspended!]) {
    await pass(who, '30 months')
    await round()
    assert.equal((await warningsTo(who)).length, 0)
    // also when the warning came before
    await db`
      update auth.account_uses set warning_id = ${newId()}, warning_queued_at = now() - interval '60 days',
        warned_at = now() - interval '60 days' where user_id = ${who.id}`
    await db`update auth.idle_watch set since = now() - interval '1 year'`
    await round()
    assert.equal(await exists(who), true)
  }
})

test('a suspension keeps no account, and outlives it', async () => {
  const admin = await createAdmin(app)
  const person = await app.user()
  const { body } = await admin.get(`/api/admin/users/${person.id}`)
  await admin.post(`/api/admin/people/${body.person_id}/suspend`, { reason: 'You threatened somebody.' })
  await warn(person)
  await pass(person, '2 months')
  await round()
  assert.equal(await exists(person), false)
  const again = await app.user({ email: person.email })
  assert.equal((await again.get('/api/vehicles')).body.code, 'suspended')
})

test('after a gap, such as a restored backup, earlier warnings are void: another comes first, no sooner than after 28 days', async () => {
  const person = await app.user()
  await warn(person)
  await pass(person, '20 days')
  await db`update auth.idle_watch set seen_at = now() - interval '7 hours'`
  await round()
  await pass(person, '7 days')
  await round()
  assert.equal((await warningsTo(person)).length, 1)
  await pass(person, '10 days')
  await round()
  assert.deepEqual([(await warningsTo(person)).length, await exists(person)], [2, true])
  await eventually(async () => ((await app.mails(person.email)).length === 2 ? true : undefined))
  await receiveWarning(person)
  await pass(person, '30 days')
  await round()
  assert.equal(await exists(person), false)
})

test('a clock that was years ahead ends nobody, neither while it is nor when it is put right', async () => {
  const person = await app.user()
  // what a day in the future leaves: a warning from there, and a watch
  await db`
    update auth.account_uses set warning_id = ${newId()}, warning_queued_at = now() + interval '2 years',
      warned_at = now() + interval '2 years' where user_id = ${person.id}`
  await db`update auth.idle_watch set seen_at = now() + interval '2 years', since = now() + interval '2 years'`
  await round()
  const [uses] =
    await db`select warned_at, used_at <= now() as used from auth.account_uses where user_id = ${person.id}`
  assert.deepEqual({ ...uses }, { warned_at: null, used: true })
  const [watch] = await db`select since <= now() as since from auth.idle_watch`
  assert.equal(watch?.['since'], true)
})

test('a warning that was refused is given again after 28 days, and nobody ends without one', async () => {
  const person = await app.user()
  await db`
    update auth.account_uses set used_at = now() - interval '3 years', warning_id = ${newId()},
      warning_queued_at = now() - interval '27 days' where user_id = ${person.id}`
  await round()
  assert.deepEqual([(await warningsTo(person)).length, await exists(person)], [0, true])
  await pass(person, '2 days')
  await round()
  assert.deepEqual([(await warningsTo(person)).length, await exists(person)], [1, true])
})

test('of many accounts each gets one warning from several workers, 300 a minute, and each is deleted once', async () => {
  const ids = Array.from({ length: 1_200 }, newId)
  await db`
    insert into auth.users (id, email, email_confirmed_at)
    select id, id || '@idle.example.com', now() from unnest(${ids}::uuid[]) id`
  await db`update auth.account_uses set used_at = now() - interval '2 years' where user_id = any(${ids}::uuid[])`
  await Promise.all([round(), round(), round()])
  const [queued] = await db<{ count: number; accounts: number; minutes: number }[]>`
    select count(*)::int as count, count(distinct recipient_id)::int as accounts,
      extract(epoch from max(run_at) - min(run_at))::float8 / 60 as minutes
    from outbox where kind = 'idle_warning' and recipient_id = any(${ids}::uuid[])`
  assert.deepEqual([queued!.count, queued!.accounts], [1_200, 1_200])
  assert.ok(queued!.minutes > 3, `${queued!.minutes} minutes`)
  // 20 of them were warned long enough ago
  const over = ids.slice(0, 20)
  await db`
    update auth.account_uses set used_at = now() - interval '25 months', warned_at = now() - interval '40 days'
    where user_id = any(${over}::uuid[])`
  await db`update auth.idle_watch set since = now() - interval '1 year'`
  await Promise.all([round(), round(), round()])
  const [left] = await db<{ count: number }[]>`
    select count(*)::int as count from auth.users where id = any(${ids}::uuid[])`
  assert.equal(left!.count, 1_180)
  const [entries] = await db<{ count: number }[]>`
    select count(*)::int as count from audit_log where subject_id = any(${over}::uuid[]) and action = 'user_ended'`
  assert.equal(entries!.count, 20)
})
