import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { newId } from '../db/ids.ts'
import { createMailHarness } from '../test/mail-harness.ts'
import { openSmtpInbox, type SmtpInboxOptions, startSmtpInbox } from '../test/smtp-inbox.ts'
import { type DeliveryResult, parseSmtpUrl } from './transport.ts'

const harness = await createMailHarness()
after(() => harness.close())

const mail = (to: string, more: { subject?: string; headers?: Record<string, string> } = {}) => ({
  id: newId(),
  to,
  subject: 'A note for you',
  html: '<p>Your lights are on</p>',
  text: 'Your lights are on\n',
  ...more,
})

test('an email arrives in both versions, with the required headers', async (t) => {
  const inbox = await openSmtpInbox(t)
  const outgoing = mail('someone@example.com', { headers: { 'List-Unsubscribe': '<https://platenote.test/x>' } })

  assert.deepEqual(await harness.transport(inbox.url).deliver(outgoing), { state: 'sent' })

  const [{ from, raw, parsed }] = (await inbox.to('someone@example.com')) as [Awaited<ReturnType<typeof inbox.to>>[0]]
  assert.equal(from, 'notes@platenote.ca')
  assert.deepEqual(parsed.from, { name: 'PlateNote', address: 'notes@platenote.ca' })
  assert.equal(parsed.subject, 'A note for you')
  // the line break before a boundary is one more
  assert.equal(parsed.html, '<p>Your lights are on</p>\n')
  assert.equal(parsed.text, 'Your lights are on\n\n')
  assert.equal(parsed.messageId, `<${outgoing.id}@platenote.test>`)
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(raw, /^List-Unsubscribe: <https:\/\/platenote\.test\/x>\r$/m)
  const names = raw.split('\r\n\r\n')[0]!.match(/^[\w-]+(?=:)/gm)
  // no header names our software or machine
  assert.deepEqual(names?.map((name) => name.toLowerCase()).sort(), [
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'list-unsubscribe',
    'message-id',
    'mime-version',
    'subject',
    'to',
    'x-auto-response-suppress',
  ])
})

test('an invalid address, or several in one, never reaches the server', async (t) => {
  const inbox = await openSmtpInbox(t)
  const transport = harness.transport(inbox.url)
  for (const to of [
    '',
    'nobody',
    'a@b@c',
    'a@example.com, b@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    '"a b"@example.com',
    '<a@example.com>',
    `a@example.com\u2028`,
  ]) {
    assert.deepEqual(
      await transport.deliver(mail(to)),
      { state: 'refused', rejected: 'address', reason: 'bad_address' },
      to,
    )
    assert.deepEqual(await harness.transport(undefined).deliver(mail(to)), {
      state: 'refused',
      rejected: 'address',
      reason: 'bad_address',
    })
  }
  assert.equal(inbox.received.length, 0)
})

const OUTCOMES: [name: string, behaviour: SmtpInboxOptions, result: DeliveryResult][] = [
  ['550 for the recipient', { recipient: () => 550 }, { state: 'refused', rejected: 'address', reason: 'smtp_550' }],
  ['554 after the mail', { end: () => 554 }, { state: 'refused', rejected: 'content', reason: 'smtp_554' }],
  ['450 for the recipient', { recipient: () => 450 }, { state: 'deferred', reason: 'smtp_450' }],
  // about the server or about us, not about this email
  ['554 as the greeting', { greeting: () => 554 }, { state: 'deferred', reason: 'smtp_554' }],
  ['530 for the recipient', { recipient: () => 530 }, { state: 'deferred', reason: 'smtp_530' }],
  [
    '550 for the sender',
    { options: { onMailFrom: (_, __, response) => response(Object.assign(new Error('no'), { responseCode: 550 })) } },
    { state: 'deferred', reason: 'smtp_550' },
  ],
  ['no response after the mail', { end: () => 'stall' }, { state: 'deferred', reason: 'timeout' }],
  ['a connection dropped after the mail', { end: () => 'cut' }, { state: 'deferred', reason: 'econnection' }],
]

for (const [name, behaviour, result] of OUTCOMES) {
  test(`${name}: ${result.state}`, async (t) => {
    const inbox = await openSmtpInbox(t, behaviour)
    const isStalling = result.state === 'deferred' && result.reason === 'timeout'
    const transport = harness.transport(inbox.url, { timeoutMs: isStalling ? 400 : 60_000 })
    assert.deepEqual(await transport.deliver(mail('someone@example.com')), result)
  })
}

test('a server that sends a line now and then, and so triggers no socket timeout, is given up at the deadline', async (t) => {
  const lines = new Set<NodeJS.Timeout>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 trickle\r\n')
    const line = setInterval(() => socket.write('250-more\r\n'), 20)
    lines.add(line)
    socket.on('close', () => clearInterval(line))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const line of lines) clearInterval(line)
    server.close()
  })
  const transport = harness.transport(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs: 300 })
  assert.deepEqual(await transport.deliver(mail('someone@example.com')), { state: 'deferred', reason: 'timeout' })
})

test('a closed port and a rejected password are worth another try', async (t) => {
  const inbox = await openSmtpInbox(t, {
    options: {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, response) =>
        username === 'platenote' && password === 'right'
          ? response(null, { user: 'platenote' })
          : response(new Error('no')),
    },
  })
  const closed = await startSmtpInbox()
  await closed.close()
  const url = (password: string) => `smtp://platenote:${password}@127.0.0.1:${inbox.port}`

  assert.deepEqual(await harness.transport(closed.url).deliver(mail('a@example.com')), {
    state: 'deferred',
    reason: 'esocket',
  })
  assert.deepEqual(await harness.transport(url('wrong')).deliver(mail('a@example.com')), {
    state: 'deferred',
    reason: 'smtp_535',
  })
  assert.deepEqual(await harness.transport(url('right')).deliver(mail('a@example.com')), { state: 'sent' })
})

test('where encryption is required, nothing is sent in clear, neither without STARTTLS nor with an untrusted certificate', async (t) => {
  const senders: string[] = []
  const listen = (inbox: Awaited<ReturnType<typeof startSmtpInbox>>) => {
    t.after(() => inbox.close())
    return inbox
  }
  const onMailFrom: NonNullable<SmtpInboxOptions['options']>['onMailFrom'] = ({ address }, session, response) => {
    senders.push(`${address} ${session.secure}`)
    response()
  }
  const plain = listen(await startSmtpInbox({ options: { onMailFrom, disabledCommands: ['STARTTLS'] } }))
  const withTls = listen(await startSmtpInbox({ options: { hideSTARTTLS: false, onMailFrom } }))

  for (const url of [
    `${plain.url}?tls=required&tls.rejectUnauthorized=false`,
    `${plain.url.replace('//', '//user:password@')}?tls=required&tls.rejectUnauthorized=false`,
    `${withTls.url}?tls=required`,
  ]) {
    assert.equal((await harness.transport(url).deliver(mail('a@example.com'))).state, 'deferred', url)
  }
  assert.deepEqual(senders, [])
  const trusted = harness.transport(`${withTls.url}?tls=required&tls.rejectUnauthorized=false`)
  assert.deepEqual(await trusted.deliver(mail('a@example.com')), { state: 'sent' })
  assert.deepEqual(await harness.transport(`${plain.url}?tls=optional`).deliver(mail('a@example.com')), {
    state: 'sent',
  })
  assert.deepEqual(senders, ['notes@platenote.ca true', 'notes@platenote.ca false'])
})

test('in production a mail server on another machine must encrypt, unless the setting makes that optional', () => {
  const cases: [url: string, production: boolean, required: boolean][] = [
    ['smtp://mail.example.com', true, true],
    ['smtp://127.example.com', true, true],
    ['smtps://mail.example.com', true, true],
    ['smtp://mail.example.com?tls=optional', true, false],
    ['smtp://localhost:25', true, false],
    ['smtp://127.0.0.1:25', true, false],
    ['smtp://localhost?tls=required', true, true],
    ['smtp://mail.example.com', false, false],
    ['smtp://mail.example.com?tls=required', false, true],
  ]
  for (const [url, production, required] of cases) {
    const parsed = parseSmtpUrl(url, production)
    assert.equal(parsed.requireTLS, required, `${url} ${production}`)
    assert.doesNotMatch(parsed.url, /tls=/)
  }
  assert.match(
    parseSmtpUrl('smtp://u:p%40x@h.ca?tls=optional&pool=true', true).url,
    /^smtp:\/\/u:p%40x@h\.ca\/?\?pool=true$/,
  )
})
