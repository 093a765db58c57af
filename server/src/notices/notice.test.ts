import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isOperatorError } from '../log/operator-error.ts'
import { createNoticeCommand } from '../test/notice-command.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { renderNotice } from './notice-mail.ts'
import { parseNotice } from './parse-notice.ts'
import { queueNotice } from './queue-notice.ts'

const FILE = `# en
Our terms change on January 1, 2027

We are changing our terms. What is new:

- a notice now comes by email;
- nothing else.

[Read the terms](/terms-and-conditions#changes)

# fr-CA
Nos conditions changent le 1er janvier 2027

Nous modifions nos conditions.

[Lire les conditions](/terms-and-conditions#changes)
`

const { harness, db, folder, path, notice } = await createNoticeCommand(FILE)
const queued = () =>
  db<{ recipient_id: string }[]>`select recipient_id from outbox where kind = 'notice' order by recipient_id`

test('the notice of an incident is ready in both languages, and is not sent with its blanks', () => {
  const template = readFileSync(join(import.meta.dirname, '../../../docs/notices/incident.md'), 'utf8')
  assert.throws(
    () => parseNotice(template),
    (error) => isOperatorError(error) && error.message === 'Fill in every [[day]] first.',
  )
  const { en, 'fr-CA': french } = parseNotice(template.replaceAll(/\[\[[^\]]*\]\]/g, 'X'))
  assert.deepEqual(
    en.blocks.map(({ kind }) => kind),
    french.blocks.map(({ kind }) => kind),
  )
})

test('a notice reaches every confirmed account once, in their language, also after a kill, a purge and a repeat', async () => {
  const inbox = await startSmtpInbox()
  after(() => inbox.close())
  const people = [await harness.person('en'), await harness.person('fr-CA'), await harness.person('en')]
  await db`insert into auth.users (id, email) values (gen_random_uuid(), 'unconfirmed@example.com')`

  const dry = await notice('--dry-run', path)
  assert.equal(dry.code, 0, dry.err)
  assert.match(dry.out, /Our terms change[\s\S]*Nos conditions changent[\s\S]*Accounts: 2 en, 1 fr-CA\./)
  assert.deepEqual([(await queued()).length, (await db`select from notices`).length], [0, 0])

  assert.match((await notice(path)).out, /^Queued 3 emails, 3 in all\./)
  assert.deepEqual(
    (await queued()).map((row) => row.recipient_id),
    people.map(({ id }) => id).toSorted(),
  )
  await db`update outbox set run_at = now() where kind = 'notice'`
  const worker = harness.worker(inbox.url, { render: renderNotice })
  for (const { email } of people) await inbox.to(email)
  const texts = await Promise.all(people.map(async ({ email }) => (await inbox.to(email))[0]!.parsed))
  assert.deepEqual(
    texts.map(({ subject }) => subject),
    ['Our terms change on January 1, 2027', 'Nos conditions changent le 1er janvier 2027', texts[0]!.subject],
  )
  assert.match(texts[0]!.text ?? '', /nothing else[\s\S]*https:\/\/platenote\.test\/terms-and-conditions#changes/)
  assert.match(texts[1]!.text ?? '', /https:\/\/platenote\.test\/fr\/terms-and-conditions#changes/)

  // those who sign up later have agreed to the new text; and the outbox deletes its rows after 30 days
  const late = await harness.person('en')
  await db`delete from outbox where kind = 'notice'`
  assert.match((await notice(path)).out, /^This notice is complete: all 3 accounts have it\./)
  assert.equal((await queued()).length, 0)
  await worker.stop()
  assert.equal(inbox.received.length, 3)

  // another file is another notice; the process dies in the middle of it
  await Promise.all(Array.from({ length: 600 }, () => harness.person('en')))
  const other = FILE.replaceAll('2027', '2028')
  const died = queueNotice(db, other, parseNotice(other), {
    perMinute: 300,
    onBatch: (total) => {
      assert.equal(total, 500)
      throw new Error('killed')
    },
  })
  await assert.rejects(died, /killed/)
  assert.equal((await queued()).length, 500)
  // two commands at once share what is left
  const runs = await Promise.all([1, 2].map(() => queueNotice(db, other, parseNotice(other), { perMinute: 300 })))
  assert.deepEqual([runs[0]!.added + runs[1]!.added, runs[0]!.total], [104, 604])
  const all = await queued()
  assert.deepEqual([all.length, new Set(all.map((row) => row.recipient_id)).size], [604, 604])
  assert.ok(all.some((row) => row.recipient_id === late.id))
  // spread, so that a sign-in link never waits behind them
  const [{ minutes } = { minutes: 0 }] = await db<{ minutes: number }[]>`
    select extract(epoch from max(run_at) - min(run_at))::float8 / 60 as minutes from outbox where kind = 'notice'`
  assert.ok(minutes > 1.5, `${minutes} minutes`)
})

test('a file that lacks something is refused with a line that says what, and queues nothing', async () => {
  const cases: [string, RegExp][] = [
    [FILE.split('# fr-CA')[0]!, /The file has no '# fr-CA'/],
    [FILE.replace('# en\n', ''), /must begin with '# en' or '# fr-CA'/],
    [FILE.replace('# en', '# de'), /found de/],
    [`${FILE}\n# es\nHola\n\nTexto`, /found es/],
    ['# en\n\n# fr-CA\nSujet\n\nTexte', /'# en' must begin with the subject/],
    ['# en\nSubject\n\n# fr-CA\nSujet\n\nTexte', /'# en' has no text/],
  ]
  for (const [file, message] of cases) {
    assert.throws(
      () => parseNotice(file),
      (error) => isOperatorError(error) && message.test((error as Error).message),
      file,
    )
  }
  const before = (await queued()).length
  for (const args of [[], [path, path], ['--now', path], [join(folder, 'none.md')]]) {
    const { code, err } = await notice(...args)
    assert.deepEqual([code, err.split('\n').length], [1, 1], err)
  }
  assert.equal((await queued()).length, before)
})
