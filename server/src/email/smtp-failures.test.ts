import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMailHarness } from '../test/mail-harness.ts'
import { type SmtpFault, type SmtpInboxOptions, startSmtpInbox } from '../test/smtp-inbox.ts'

type SmtpFailureCase = {
  /** What the server does while it is ill; `ill` tells whether it still is. */
  behaviour: (ill: () => boolean) => SmtpInboxOptions
  /** What SMTP_URL says beside the address. */
  url?: (port: number) => string
  /** Words the tries end with meanwhile. */
  words: RegExp
  /** The server had the whole mail, or was slow: some tries may arrive as well, under the same Message-ID. */
  mayRepeat?: true
  /** How long one try lasts; short where the fault is silence. */
  timeoutMs?: number
}

const SILENCE = { words: /^timeout$/, mayRepeat: true, timeoutMs: 700 } as const

const whileFailing = (mischief: SmtpFault) => (ill: () => boolean) => (): SmtpFault | undefined =>
  ill() ? mischief : undefined

const FAILURES: Record<string, SmtpFailureCase> = {
  'says nothing when one connects': { behaviour: (ill) => ({ greeting: whileFailing('stall')(ill) }), ...SILENCE },
  'is closing down (421)': { behaviour: (ill) => ({ greeting: whileFailing(421)(ill) }), words: /^smtp_421$/ },
  'cuts the line when one connects': {
    behaviour: (ill) => ({ greeting: whileFailing('cut')(ill) }),
    words: /^(?:econnection|esocket|econnreset|timeout)$/,
  },
  'takes no recipients for now (450)': {
    behaviour: (ill) => ({ recipient: whileFailing(450)(ill) }),
    words: /^smtp_450$/,
  },
  'cuts the line at the recipient': {
    behaviour: (ill) => ({ recipient: whileFailing('cut')(ill) }),
    words: /^(?:econnection|esocket|econnreset)$/,
  },
  'cannot keep mails for now (451 after the mail)': {
    behaviour: (ill) => ({ end: whileFailing(451)(ill) }),
    words: /^smtp_451$/,
    mayRepeat: true,
  },
  'says nothing after the mail': { behaviour: (ill) => ({ end: whileFailing('stall')(ill) }), ...SILENCE },
  'cuts the line after the mail': {
    behaviour: (ill) => ({ end: whileFailing('cut')(ill) }),
    words: /^(?:econnection|esocket|econnreset)$/,
    mayRepeat: true,
  },
  'does not know our password': {
    behaviour: (ill) => ({
      options: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_, __, answer) => (ill() ? answer(new Error('no')) : answer(null, { user: 'platenote' })),
      },
    }),
    url: (port) => `smtp://platenote:secret@127.0.0.1:${port}`,
    words: /^smtp_535$/,
  },
}

for (const [what, { behaviour, url, words, mayRepeat, timeoutMs = 5_000 }] of Object.entries(FAILURES)) {
  test(`a mail server that ${what} gets every mail when it is well again`, async (t) => {
    const { person, queue, worker, rowWhen, close } = await createMailHarness()
    t.after(close)
    let ill = true
    const inbox = await startSmtpInbox(behaviour(() => ill))
    t.after(() => inbox.close())
    const people = await Promise.all(Array.from({ length: 3 }, () => person()))
    const ids = await Promise.all(people.flatMap(({ id }) => [queue(id), queue(id, {}, 'message')]))
    worker(url?.(inbox.port) ?? inbox.url, { timeoutMs, retryBaseMs: 100 })
    // all of them were tried: none was lost to the fault, none given up
    for (const id of ids) assert.match((await rowWhen(id, (row) => row.last_error !== null)).last_error!, words)
    ill = false
    for (const id of ids) await rowWhen(id, (row) => row.sent_at !== null)

    const came = inbox.received.map(({ parsed }) => parsed.messageId ?? '')
    assert.deepEqual([...new Set(came)].sort(), ids.map((id) => `<${id}@platenote.test>`).sort())
    if (!mayRepeat) assert.equal(came.length, ids.length)
  })
}

test('a mail server that must encrypt and does not gets every mail when it does', async (t) => {
  const { person, queue, worker, rowWhen, close } = await createMailHarness()
  t.after(close)
  const plain = await startSmtpInbox({ options: { disabledCommands: ['STARTTLS'] } })
  t.after(() => plain.close())
  const { port } = plain
  const ids = [await queue((await person()).id), await queue((await person()).id, {}, 'message')]
  worker(`smtp://127.0.0.1:${port}?tls=required&tls.rejectUnauthorized=false`, { retryBaseMs: 100 })
  for (const id of ids) assert.ok((await rowWhen(id, (row) => row.last_error !== null)).sent_at === null)
  await plain.close()
  assert.equal(plain.received.length, 0)
  const mended = await startSmtpInbox({ port, options: { hideSTARTTLS: false } })
  t.after(() => mended.close())
  for (const id of ids) await rowWhen(id, (row) => row.sent_at !== null)
  assert.equal(mended.received.length, 2)
})
