import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { copyDeletions } from '../backup/deletion-journal.ts'
import { listDaysToCopy } from '../backup/queries.ts'
import { type CapturedMail, PASSWORD, type Person } from '../test/app.ts'
import { assertRefused, extractAuthLink, postLink } from '../test/auth-links.ts'
import { DEAD_LINK, mailLinks, openAccountLink, requestChange } from '../test/email-change.ts'
import { eventually } from '../test/eventually.ts'
import { verifiedWith, withFactor } from '../test/factors.ts'
import { fieldsOf } from '../test/fields.ts'
import { startPushApp } from '../test/push.ts'
import { mailAbout } from '../test/sanctions.ts'
import { signInWithCode } from '../test/sessions.ts'
import { accept, assertInvalid, invite, peopleOf } from '../test/vehicle-people.ts'
import { resetFactors, resetPassword } from './account-commands.ts'
import { queueNotice } from './account-notices.ts'

// Whoever holds the mailbox gets the account back (decision mailbox-keeps-the-account): every notice that is mailed, and every
// sentence in it that tells somebody to do something, with a thief in the account.

const { app, switchOn } = await startPushApp()

const openMailed = (action: string, token: string | undefined) => openAccountLink(app, action, token)
const FRESH_PASSWORD = 'Mine-again-99'
const THIEFS_PASSWORD = 'Thiefs-horse-8'
const signInStatus = async (email: string, password: string) =>
  (await app.visitor.post('/auth/v1/token?grant_type=password', { email, password })).status

/** Somebody whose password another person knows, who has read a code too, and has put a second step of theirs on the account. */
async function intrude() {
  const victim = await app.user()
  const vehicle = await app.vehicle(victim)
  const thief = await withFactor(app, await signInWithCode(app, victim.email))
  await switchOn(thief)
  const { code } = await invite(thief, vehicle.id)
  assert.equal((await victim.get('/api/dashboard')).body.code, 'second_factor_required')
  return { victim, thief, vehicleId: vehicle.id, code: code as string }
}
type Intrusion = Awaited<ReturnType<typeof intrude>>

const resets = async (email: string) => (await app.mails(email, 0)).filter(({ subject }) => /^Reset your/.test(subject))
/** Does something that mails a link to choose a new password, and resolves with that email. */
async function awaitReset(email: string, act: () => Promise<unknown>): Promise<CapturedMail> {
  const earlier = await resets(email)
  await act()
  return eventually(async () => {
    const now = await resets(email)
    return now.length > earlier.length ? now[0] : undefined
  })
}

/** Does what a notice says: presses 'This wasn't me', or chooses a new password; resolves with the session of the link. */
async function follow(notice: CapturedMail, email: string): Promise<Person> {
  let { undo } = mailLinks(notice)
  if (!undo) {
    assert.match(notice.text, /choose a new (password|one)/i)
    const asked = await awaitReset(email, () => app.visitor.post('/auth/v1/recover', { email }))
    undo = mailLinks(asked).undo
    if (!undo) return open(asked)
  }
  return open(await awaitReset(email, async () => assert.equal(await openMailed('undo', undo), 'undone')))
}

async function open(reset: CapturedMail): Promise<Person> {
  const { status, body, text } = await postLink(app, extractAuthLink(reset))
  assert.equal(status, 200, text)
  const { access_token: token, refresh_token: refreshToken, user } = body
  return { ...app.withToken(token), id: user.id, email: user.email, password: '', token, refreshToken }
}

const NOTICES: Record<
  string,
  {
    subject: RegExp
    cause: (intrusion: Intrusion) => Promise<unknown>
    next?: (who: Person, intrusion: Intrusion) => Promise<void>
  }
> = {
  'a new login': {
    subject: /^New login/,
    cause: ({ victim: { email } }) =>
      app.visitor.post(
        '/auth/v1/token?grant_type=password',
        { email, password: PASSWORD },
        { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      ),
  },
  'a second step that was added': { subject: /was added/, cause: async () => {} },
  'a second step that was removed': {
    subject: /verification for your PlateNote account was changed/,
    cause: ({ thief }) => thief.delete(`/auth/v1/factors/${thief.factorId}`),
  },
  'second steps that were lost, it was said': {
    subject: /verification was removed/,
    cause: ({ victim }) => resetFactors(app.db, victim.email),
  },
  'a new password': {
    subject: /has a new password/,
    cause: async ({ thief }) =>
      assert.equal((await thief.put('/auth/v1/user', { password: THIEFS_PASSWORD })).status, 200),
  },
  'a password that somebody else knows': {
    subject: /no longer works/,
    cause: ({ victim }) => resetPassword(app.db, victim.email),
  },
  'a change of address that waits': {
    subject: /^Confirm the change/,
    cause: ({ thief }) => requestChange(app, thief),
  },
  'an address that was changed': {
    subject: /address was changed/,
    cause: async ({ thief }) => {
      const { current, fresh } = await requestChange(app, thief)
      await openMailed('confirm', current.confirm)
      assert.equal(await openMailed('confirm', fresh.confirm), 'changed')
    },
  },
  'a session in two places': {
    subject: /signed a device out/,
    cause: ({ victim }) => queueNotice(app.db, victim.id, 'session_stolen'),
  },
  'wrong passwords': {
    subject: /failed attempts/,
    cause: ({ victim }) => queueNotice(app.db, victim.id, 'sign_in_failures'),
  },
  'a driver who joined': {
    subject: /joined your vehicle/,
    cause: async ({ code }) => accept(await app.user(), code),
    next: async (who, { vehicleId }) => {
      const stranger = (await peopleOf(who, vehicleId)).items.find(({ is_me }: { is_me: boolean }) => !is_me)
      assert.equal((await who.delete(`/api/vehicles/${vehicleId}/people/${stranger.id}`)).status, 204)
    },
  },
}

describe('with a thief in the account, what an email says to do about it works:', () => {
  for (const [name, { subject, cause, next }] of Object.entries(NOTICES)) {
    test(name, async () => {
      const intrusion = await intrude()
      const { victim, thief, code } = intrusion
      await cause(intrusion)
      app.context.outbox.wake()
      const session = await follow(await mailAbout(app, victim.email, subject), victim.email)
      assert.equal((await session.put('/auth/v1/user', { password: FRESH_PASSWORD })).status, 200)
      const again = await app.signIn(victim.email, FRESH_PASSWORD)
      assert.deepEqual([again.id, (await again.get('/api/dashboard')).status], [victim.id, 200])
      await next?.(again, intrusion)

      for (const one of [thief, victim]) assert.equal((await one.get('/api/vehicles')).status, 401)
      for (const password of [PASSWORD, THIEFS_PASSWORD]) assert.equal(await signInStatus(victim.email, password), 400)
      const left = await app.db`
        select id::text from auth.factors where user_id = ${victim.id} and removed_at is null
        union all select endpoint from push_subscriptions where user_id = ${victim.id}
        union all select new_email from auth.email_changes where user_id = ${victim.id}`
      assert.deepEqual([...left], [])
      assertInvalid(await accept(await app.user(), code))
    })
  }
})

describe('a link that undoes', () => {
  test('puts a removed second step back that is older than seven days, and that one is asked for', async () => {
    const victim = await withFactor(app, await app.user())
    await app.db`update auth.factors set verified_at = now() - interval '8 days' where user_id = ${victim.id}`
    // the phone for a minute: removing, adding and a new password all take the session that is there
    const { body } = await victim.post('/auth/v1/factors', { factor_type: 'totp', friendly_name: 'Theirs' })
    const thief = await verifiedWith(app, victim, body.id, body.totp.secret)
    assert.equal((await thief.delete(`/auth/v1/factors/${victim.factorId}`)).status, 200)
    assert.equal((await thief.put('/auth/v1/user', { password: THIEFS_PASSWORD })).status, 200)
    // what a restored backup deletes again; the day of this one is its own
    const day = '2026-01-02'
    await app.db`
      update deletions set deleted_at = ${day}::timestamptz, is_copied = false where row_id = ${victim.factorId}`
    const recorded = async () => {
      // the server copies them too; while it does nobody else can
      await eventually(async () => {
        await copyDeletions(app.db, app.context.files)
        return (await listDaysToCopy(app.db)).length === 0 || undefined
      })
      const file = await app.context.files.get(`deletions-${day}.json`)
      return file && (JSON.parse(file.toString()) as { row_id: string }[]).map(({ row_id }) => row_id)
    }
    assert.deepEqual(await recorded(), [victim.factorId])
    assert.equal((await thief.post(`/auth/v1/factors/${victim.factorId}/challenge`)).status, 404)

    const removal = await mailAbout(app, victim.email, /verification for your PlateNote account was changed/)
    const session = await follow(removal, victim.email)
    assertRefused(await session.put('/auth/v1/user', { password: FRESH_PASSWORD }), 401, 'insufficient_aal')
    const verified = await verifiedWith(app, session, victim.factorId, victim.secret)
    assert.equal((await verified.put('/auth/v1/user', { password: FRESH_PASSWORD })).status, 200)
    const { factors } = (await verified.get('/auth/v1/user')).body
    assert.deepEqual(fieldsOf(factors, 'id'), [victim.factorId])
    assert.equal(await recorded(), null)
    assert.equal((await verified.delete(`/auth/v1/factors/${victim.factorId}`)).status, 200)
    assert.equal((await app.db`select from deletions where row_id = ${victim.factorId} and not is_undone`).length, 1)
  })

  test('leaves the second steps of an admin as they are, and ends all else', async () => {
    const victim = await withFactor(app, await app.user())
    await app.db`update auth.users set is_admin = true where id = ${victim.id}`
    const session = await follow(await mailAbout(app, victim.email, /was added/), victim.email)
    assert.equal((await victim.get('/api/vehicles')).status, 401)
    assert.equal(await signInStatus(victim.email, PASSWORD), 400)
    const { factors } = (await session.get('/auth/v1/user')).body
    assert.deepEqual(fieldsOf(factors, 'id'), [victim.factorId])
    const [reset] = await resets(victim.email)
    assert.equal(mailLinks(reset).undo, undefined)
  })

  test('gives a former address back only from an email about the address', async () => {
    const { victim, thief } = await intrude()
    const added = mailLinks(await mailAbout(app, victim.email, /was added/)).undo
    const { email, current, fresh } = await requestChange(app, thief)
    await openMailed('confirm', current.confirm)
    assert.equal(await openMailed('confirm', fresh.confirm), 'changed')
    assert.deepEqual(await openMailed('undo', added), DEAD_LINK)
    assert.equal((await app.signIn(email, PASSWORD)).id, victim.id)
    assert.equal(await openMailed('undo', current.undo), 'undone')
    assert.equal(
      (
        await awaitReset(victim.email, async () => {
          // older than the change, and no longer asleep
          assert.equal(await openMailed('undo', added), 'undone')
        })
      ).to,
      victim.email,
    )
  })

  test('works once and for seven days, and ends those that undo less', async () => {
    const { victim, thief } = await intrude()
    await thief.put('/auth/v1/user', { password: THIEFS_PASSWORD })
    const [added, changed] = [
      mailLinks(await mailAbout(app, victim.email, /was added/)).undo,
      mailLinks(await mailAbout(app, victim.email, /has a new password/)).undo,
    ]
    const shift = (by: string) =>
      app.db`update auth.account_link_tokens set since = since + ${by}::interval where user_id = ${victim.id}`
    await shift('-7 days')
    assert.deepEqual(await openMailed('undo', added), DEAD_LINK)
    await shift('7 days')
    assert.deepEqual(await openMailed('confirm', added), DEAD_LINK)
    const states = await Promise.all([1, 2, 3].map(() => openMailed('undo', changed)))
    assert.equal(states.filter((state) => state === 'undone').length, 1)
    assert.equal(await openMailed('undo', added), 'undone')
    assert.deepEqual(await openMailed('undo', changed), DEAD_LINK)
  })
})
