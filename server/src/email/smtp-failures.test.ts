import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMailHarness } from '../test/mail-harness.ts'
import { type SmtpFault, type SmtpInboxOptions, startSmtpInbox } from '../test/smtp-inbox.ts'

type SmtpFailureCase = {
  /** Makes the server fail as long as `isFailing` returns true. */
  behaviour: (isFailing: () => boolean) => SmtpInboxOptions
  /** Returns an SMTP_URL with more than the address. */
  url?: (port: number) => string
  /** The reasons with which tries end meanwhile. */
  reasons: RegExp
  /** Set if the server has received the whole email, or is slow: it may arrive twice, under one Message-ID. */
  mayRepeat?: true
  /** Limits a try; short where the server does not respond. */
  timeoutMs?: number
}

const whileFailing = (fault: SmtpFault) => (isFailing: () => boolean) => (): SmtpFault | undefined =>
  isFailing() ? fault : undefined

/** One of each kind; what every other failure is taken for is in transport.test.ts. */
const FAILURES: Record<string, SmtpFailureCase> = {
  'is shutting down (421)': {
    behaviour: (isFailing) => ({ greeting: whileFailing(421)(isFailing) }),
    reasons: /^smtp_421$/,
  },
  'does not respond after the mail': {
    behaviour: (isFailing) => ({ end: whileFailing('stall')(isFailing) }),
    reasons: /^timeout$/,
    mayRepeat: true,
    timeoutMs: 700,
  },
  'drops the connection after the mail': {
    behaviour: (isFailing) => ({ end: whileFailing('cut')(isFailing) }),
    reasons: /^(?:econnection|esocket|econnreset)$/,
    mayRepeat: true,
  },
  'rejects our password': {
    behaviour: (isFailing) => ({
      options: {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_, __, response) => (isFailing() ? response(new Error('no')) : response(null, { user: 'platenote' })),
      },
    }),
    url: (port) => `smtp://platenote:secret@127.0.0.1:${port}`,
    reasons: /^smtp_535$/,
  },
}

// each has a mail server and a database of its own, and waits most of the time
describe('a mail server', { concurrency: 3 }, () => {
  for (const [failure, { behaviour, url, reasons, mayRepeat, timeoutMs = 5_000 }] of Object.entries(FAILURES)) {
    test(`that ${failure} gets every email once it has recovered`, async (t) => {
      const { person, queue, worker, rowWhen, close } = await createMailHarness()
      t.after(close)
      let isFailing = true
      const inbox = await startSmtpInbox(behaviour(() => isFailing))
      t.after(() => inbox.close())
      const people = await Promise.all(Array.from({ length: 3 }, () => person()))
      const ids = await Promise.all(people.flatMap(({ id }) => [queue(id), queue(id, {}, 'message')]))
      worker(url?.(inbox.port) ?? inbox.url, { timeoutMs, retryBaseMs: 100 })
      // all of them were tried, and none was lost or given up
      for (const id of ids) assert.match((await rowWhen(id, (row) => row.last_error !== null)).last_error!, reasons)
      isFailing = false
      for (const id of ids) await rowWhen(id, (row) => row.sent_at !== null)

      const arrived = inbox.received.map(({ parsed }) => parsed.messageId ?? '')
      assert.deepEqual([...new Set(arrived)].sort(), ids.map((id) => `<${id}@platenote.test>`).sort())
      if (!mayRepeat) assert.equal(arrived.length, ids.length)
    })
  }

  test('that must encrypt but does not gets every email once it does', async (t) => {
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
    const repaired = await startSmtpInbox({ port, options: { hideSTARTTLS: false } })
    t.after(() => repaired.close())
    for (const id of ids) await rowWhen(id, (row) => row.sent_at !== null)
    assert.equal(repaired.received.length, 2)
  })
})
