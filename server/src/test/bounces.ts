// What mail servers send back, rebuilt by hand, with invented people. `to` is the return address of our email.

type Notification = (mail: { to: string; status?: string; action?: string; text?: string }) => string

const report = (
  header: string[],
  { text, fields, original = 'message/rfc822' }: { text: string; fields: string[]; original?: string },
) =>
  [
    'Return-Path: <>',
    ...header,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="=_part/41"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--=_part/41',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
    '--=_part/41',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    ...fields,
    '',
    '--=_part/41',
    `Content-Type: ${original}`,
    '',
    'From: PlateNote <notes@platenote.ca>',
    'To: <maya.okafor@mail.test>',
    'Subject: A new message about your vehicle',
    'Message-ID: <018f@platenote.test>',
    '',
    'Your mailbox is full of leaves. 4.2.2',
    '--=_part/41--',
    '',
  ].join('\r\n')

export const postfix: Notification = ({ to, status = '5.1.1', action = 'failed', text = 'User unknown' }) =>
  report(
    [
      `Delivered-To: ${to}`,
      'From: MAILER-DAEMON@mx.platenote.test (Mail Delivery System)',
      `Subject: ${action === 'delayed' ? 'Delayed Mail (still being retried)' : 'Undelivered Mail Returned to Sender'}`,
      `To: ${to}`,
      'Auto-Submitted: auto-replied',
    ],
    {
      text: `This is the mail system at host mx.platenote.test.\r\n\r\n<maya.okafor@mail.test>: ${text}`,
      fields: [
        'Reporting-MTA: dns; mx.platenote.test',
        'X-Postfix-Queue-ID: 4Zk7Qh1Lz9z1f',
        '',
        'Final-Recipient: rfc822; maya.okafor@mail.test',
        'Original-Recipient: rfc822;maya.okafor@mail.test',
        `Action: ${action}`,
        `Status: ${status}`,
        'Remote-MTA: dns; mx.mail.test',
        `Diagnostic-Code: smtp; 550 ${status} <maya.okafor@mail.test>: ${text}`,
      ],
      original: 'text/rfc822-headers',
    },
  )

export const exchange: Notification = ({ to }) =>
  report(
    [
      'From: <postmaster@contoso.test>',
      `To: <${to}>`,
      'Subject: Undeliverable: A new message about your vehicle',
      'X-MS-Exchange-Message-Is-Ndr:',
      'Auto-Submitted: auto-replied',
    ],
    {
      text: 'Your message to maya.okafor@contoso.test couldn’t be delivered.\r\nMaya.Okafor wasn’t found at contoso.test.',
      fields: [
        'Reporting-MTA: dns;YT2PR01MB0000.CANPRD01.PROD.OUTLOOK.TEST',
        'Received-From-MTA: dns;mx.platenote.test',
        'Arrival-Date: Sat, 28 Nov 2026 14:03:11 +0000',
        '',
        'Final-Recipient: rfc822;maya.okafor@contoso.test',
        'Action: failed',
        'Status: 5.1.10',
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient maya.okafor@contoso.test not found by',
        ' SMTP address lookup',
      ],
    },
  )

export const gmail: Notification = ({ to, status = '5.1.1' }) =>
  report(
    [
      `Delivered-To: ${to}`,
      `To: ${to}`,
      'Auto-Submitted: auto-replied',
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.test>',
      'X-Failed-Recipients: maya.okafor@gmail.test',
      'Subject: Delivery Status Notification (Failure)',
    ],
    {
      text: '** Address not found **\r\n\r\nYour message wasn’t delivered to maya.okafor@gmail.test',
      fields: [
        'Reporting-MTA: dns; googlemail.test',
        'Arrival-Date: Sat, 28 Nov 2026 06:03:11 -0800 (PST)',
        'X-Original-Message-ID: <018f@platenote.test>',
        '',
        'Final-Recipient: rfc822; maya.okafor@gmail.test',
        'Action: failed',
        `Status: ${status}`,
        `Diagnostic-Code: smtp; 550-${status} The email account that you tried to reach does not exist.`,
        ' Please try 550 double-checking the address - gsmtp',
        'Last-Attempt-Date: Sat, 28 Nov 2026 06:03:12 -0800 (PST)',
      ],
    },
  )

/** Outlook.com has the general status, and says which it is in the code alone. */
export const outlook: Notification = ({ to, text = '550 5.5.0 Requested action not taken: mailbox unavailable' }) =>
  report(
    [
      'From: postmaster@outlook.test',
      `To: ${to}`,
      'Subject: Undeliverable: Un nouveau message au sujet de votre véhicule',
      'Content-Language: en-US',
    ],
    {
      text: 'Delivery has failed to these recipients or groups:\r\n\r\nmaya.okafor@outlook.test',
      fields: [
        'Reporting-MTA: dns;DB3EUR04FT0000.mail.protection.outlook.test',
        '',
        'Final-Recipient: rfc822;maya.okafor@outlook.test',
        'Action: failed',
        'Status: 5.0.0',
        `Diagnostic-Code: smtp;${text} (S2017062302).`,
      ],
    },
  )

const plain = (header: string[], lines: string[]) => [...header, '', ...lines, ''].join('\r\n')

export const qmail: Notification = ({ to, text = 'Sorry, no mailbox here by that name. (#5.1.1)' }) =>
  plain(
    ['Return-Path: <>', `Delivered-To: ${to}`, 'From: MAILER-DAEMON@mail.test', `To: ${to}`, 'Subject: failure notice'],
    [
      'Hi. This is the qmail-send program at mail.test.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      '',
      '<maya.okafor@mail.test>:',
      '192.0.2.25 does not like recipient.',
      text,
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Your mailbox is full of leaves. 4.2.2',
    ],
  )

export const exim: Notification = ({ to, text = 'Unrouteable address' }) =>
  plain(
    [
      `Envelope-To: ${to}`,
      'X-Failed-Recipients: maya.okafor@mail.test',
      'Auto-Submitted: auto-replied',
      'From: Mail Delivery System <Mailer-Daemon@mail.test>',
      'Subject: Mail delivery failed: returning message to sender',
    ],
    ['A message that you sent could not be delivered to one or more of its recipients.', '', `  ${text}`],
  )

/** What comes to a return address and is no bounce. */
export const OTHERS: Record<string, Notification> = {
  'a notification that it is delayed': ({ to }) => postfix({ to, action: 'delayed', status: '4.4.1' }),
  'a passing failure': ({ to }) => postfix({ to, status: '4.4.1', text: 'Connection timed out' }),
  'a notification that it arrived': ({ to }) => postfix({ to, action: 'delivered', status: '2.1.5' }),
  'a passing failure without a report': ({ to }) => qmail({ to, text: '450 4.4.1 try later' }),
  'an absence note from nobody': ({ to }) =>
    plain(
      ['Return-Path: <>', `To: ${to}`, 'From: postmaster@mail.test', 'Subject: Automatic reply: A new message'],
      ['I am away. Mail to 550 5.1.1 is not read.'],
    ),
  'a reply that quotes one': ({ to }) =>
    plain(
      [
        'Return-Path: <maya.okafor@mail.test>',
        `To: ${to}`,
        'From: maya.okafor@mail.test',
        'Subject: Re: Undeliverable',
      ],
      ['> 550 5.1.1 User unknown'],
    ),
  'a reply with one attached': ({ to }) =>
    plain(
      [
        'Return-Path: <maya.okafor@mail.test>',
        `To: ${to}`,
        'Subject: Fwd: Undelivered Mail',
        'Content-Type: multipart/mixed; boundary=x',
      ],
      ['--x', 'Content-Type: message/rfc822', '', postfix({ to }), '--x--'],
    ),
  'a receipt': ({ to }) =>
    plain(
      [
        `To: ${to}`,
        'From: maya.okafor@mail.test',
        'Subject: Read: A new message',
        'Content-Type: multipart/report; report-type=disposition-notification; boundary=x',
      ],
      ['--x', 'Content-Type: message/disposition-notification', '', 'Disposition: manual-action; displayed', '--x--'],
    ),
  'a megabyte of nonsense': ({ to }) => `To: ${to}\r\n${'\0\x1b<>--=_\r\n \t: :'.repeat(80_000)}`,
  'words without end': ({ to }) =>
    plain([`To: ${to}`, 'From: mailer-daemon@mail.test', `Subject: ${'fail '.repeat(50_000)}`], []),
  'parts without end': ({ to }) =>
    `To: ${to}\r\n${Array.from({ length: 300 }, (_, n) => `Content-Type: multipart/report; boundary=${n}x\r\n\r\n--${n}x\r\n`).join('')}`,
}
