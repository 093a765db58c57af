import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isSent } from '../test/mail-harness.ts'
import { createNoticeCommand } from '../test/notice-command.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { renderNotice } from './notice-mail.ts'

const FILE = `# en
Our terms change on January 1, 2072

A mistaken year.

# fr-CA
Nos conditions changent le 1er janvier 2072

Une mauvaise année.
`

const { harness, db, folder, path, notice } = await createNoticeCommand(FILE)

test('what has not left of a notice never leaves once it is withdrawn, also when the file is queued again', async () => {
  const [reached, ...others] = [await harness.person(), await harness.person(), await harness.person('fr-CA')]
  assert.deepEqual(await notice('--withdraw', path), {
    code: 1,
    out: '',
    err: 'This file was never queued: there is nothing to withdraw.',
  })
  assert.match((await notice(path)).out, /^Queued 3 emails/)
  // one is sent, one was given up, which 'send all again' would send, and one waits
  await db`update outbox set run_at = now() + interval '1 day' where recipient_id <> ${reached!.id}`
  await db`update outbox set failed_at = now(), last_error = 'smtp_550' where recipient_id = ${others[0]!.id}`
  const inbox = await startSmtpInbox()
  after(() => inbox.close())
  const worker = harness.worker(inbox.url, { render: renderNotice })
  await inbox.to(reached!.email)
  await worker.stop()

  assert.deepEqual(await notice('--withdraw', path), {
    code: 0,
    out: 'Withdrew 2 emails. The other 1 had left, or was leaving.',
    err: '',
  })
  const rows = () => db<Parameters<typeof isSent>[0][]>`select * from outbox`
  assert.deepEqual((await rows()).map(isSent), [true])
  assert.match((await notice(path)).out, /^This notice is complete: all 1 accounts have it\. Nothing was queued\.$/)
  assert.equal((await rows()).length, 1)
  assert.match((await notice('--withdraw', path)).out, /^Withdrew 0 emails\./)
})

test('a notice whose queueing was interrupted is withdrawn whole', async () => {
  const half = join(folder, 'half.md')
  writeFileSync(half, FILE.replaceAll('2072', '2073'))
  assert.equal((await notice(half)).code, 0)
  await db`update notices set completed_at = null`
  assert.match((await notice('--withdraw', half)).out, /^Withdrew 3 emails\. The other 0 had left/)
  assert.match((await notice(half)).out, /^This notice is complete: all 0 accounts have it\./)
})

test('withdrawing and trying at once is a line of usage', async () => {
  assert.match((await notice('--withdraw', '--dry-run', path)).err, /^usage: npm run notice/)
})
