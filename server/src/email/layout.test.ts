import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../config.ts'
import { renderMail } from './layout.ts'
import type { MailContent } from './mail-content.ts'
import { defang } from './render-blocks.ts'

const CONTENT = {
  subject: 'A note about ABC 123',
  preheader: 'Somebody wrote to you.',
  heading: 'A note about your vehicle',
  blocks: [
    { plate: 'ABC123', province: 'Ontario' },
    'Somebody left a note.',
    { quote: 'Your lights are on.\nHurry <b>&</b> see www.evil.ca' },
    { message: { plate: 'DEF456', title: 'The alarm is sounding', text: 'Since noon.', note: 'With a photo.' } },
    { message: { plate: null, title: 'Message', text: null, note: null } },
    { list: ['a permit', 'an invoice'] },
    { button: 'Reply', to: 'https://platenote.test/dashboard/messages?view=received&x="1"' },
    { note: 'The link works for 15 minutes.' },
  ],
  reason: 'You get this because you registered this plate.',
} satisfies MailContent
const config = loadConfig({ PUBLIC_URL: 'https://platenote.test', SUPPORT_EMAIL: 'support@platenote.test' })
const EN = { locale: 'en', config } as const
const FR = { locale: 'fr-CA', config } as const

test('the plain text says everything the HTML does, in the same order', () => {
  const { text } = renderMail(CONTENT, EN)
  assert.equal(
    text,
    `A note about your vehicle

[ ABC123 ] Ontario

Somebody left a note.

> Your lights are on.
> Hurry <b>&</b> see www.\u200aevil.\u200aca

[ DEF456 ] The alarm is sounding
> Since noon.
With a photo.

Message

- a permit
- an invoice

Reply:
https://platenote.test/dashboard/messages?view=received&x="1"

The link works for 15 minutes.

-- 
PlateNote. A short note to a vehicle’s owner, by licence plate.
https://platenote.test/

You get this because you registered this plate.

Replying to this email reaches nobody. Questions? Write to support@platenote.test.
`,
  )
})

test('everything is escaped, and the only links are ours', () => {
  const hostile = '<script>alert(1)</script><a href="https://evil.ca">x</a>\' onload="'
  const { html } = renderMail(
    {
      subject: hostile,
      preheader: hostile,
      heading: hostile,
      reason: hostile,
      unsubscribeUrl: 'https://platenote.test/unsubscribe/"x',
      blocks: [
        hostile,
        { quote: hostile },
        { plate: hostile, province: 'Ontario' },
        { list: [hostile] },
        { message: { plate: hostile, title: hostile, text: hostile, note: hostile } },
        { note: hostile },
        { button: hostile, to: 'https://platenote.test/?a=1&b="><b>' },
      ],
    },
    EN,
  )
  assert.doesNotMatch(html, /<script|<a href="https:\/\/evil|onload="|<b>/)
  const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href)
  assert.deepEqual(links, [
    'https://platenote.test/',
    'https://platenote.test/?a=1&amp;b=&quot;&gt;&lt;b&gt;',
    'https://platenote.test/unsubscribe/&quot;x',
    'mailto:support@platenote.test',
  ])
})

test('the footer names the sender, their address and the way to unsubscribe, if there are any', () => {
  const named = loadConfig({
    PUBLIC_URL: 'https://platenote.test',
    MAIL_SENDER_NAME: 'Notes & Plates Inc.',
    MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON  M5V 1A1',
  })
  const unsubscribeUrl = 'https://platenote.test/unsubscribe/x'
  const mail = renderMail({ ...CONTENT, unsubscribeUrl }, { locale: 'fr-CA', config: named })
  assert.match(mail.text, /\nEnvoyé par Notes & Plates Inc\., 1 Main Street, Toronto ON {2}M5V 1A1\n$/)
  assert.match(
    mail.text,
    /\nNe plus recevoir de courriels au sujet des nouveaux messages\u00a0:\nhttps:\/\/platenote\.test\/unsubscribe\/x\n/,
  )
  assert.match(mail.html, />Envoyé par Notes &amp; Plates Inc\., 1 Main Street, Toronto ON {2}M5V 1A1</)
  assert.deepEqual(mail.headers, {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  const plain = renderMail(CONTENT, EN)
  assert.doesNotMatch(plain.text + plain.html, /Sent by|Stop emails/)
  assert.deepEqual(plain.headers, {})
  const asking = renderMail({ ...CONTENT, replyTo: 'support@platenote.test' }, EN)
  assert.doesNotMatch(asking.text + asking.html, /Replying to this email/)
})

test('the HTML names its language, has a preheader and follows the dark theme', () => {
  const { html } = renderMail(CONTENT, FR)
  assert.match(html, /<html lang="fr-CA"/)
  assert.match(html, /<meta name="color-scheme" content="light dark">/)
  assert.match(html, /prefers-color-scheme: dark/)
  assert.ok(html.indexOf(CONTENT.preheader) < html.indexOf('A note about your vehicle</h1>'))
  assert.match(html, /Les réponses à ce courriel ne parviennent à personne\./)
  assert.match(html, /href="https:\/\/platenote\.test\/fr"/)
  // opening an email fetches nothing, because that would reveal when it is read
  assert.doesNotMatch(html, /<img|<link|@import|url\(/)
})

test('a hair space splits whatever a mail program would turn into a link', () => {
  assert.equal(defang('See https://evil.example/a?b=c'), 'See https:\u200a//evil.\u200aexample/a?b=c')
  assert.equal(defang('www.evil.ca'), 'www.\u200aevil.\u200aca')
  assert.equal(defang('bob@evil.ca'), 'bob@\u200aevil.\u200aca')
  assert.equal(defang('mailto:bob'), 'mailto:\u200abob')
  assert.equal(defang('http://10.0.0.1/x'), 'http:\u200a//10.\u200a0.\u200a0.1/x')
  assert.equal(defang('1.2.3.4'), '1.\u200a2.\u200a3.4')
  assert.equal(defang('évil。example'), 'évil。\u200aexample')
})

test('ordinary text stays as it was written', () => {
  for (const text of [
    'Your lights are on. Please hurry!',
    'At 10:30, row 4: it costs 12.50 $',
    'Merci… à bientôt.',
    'C’est urgent : vite\n\nMerci.',
  ]) {
    assert.equal(defang(text), text)
  }
})
