import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMail } from './layout.ts'
import type { MailContent } from './render.ts'

const CONTENT: MailContent = {
  subject: 'A note about ABC 123',
  preheader: 'Somebody wrote to you.',
  heading: 'A note about your vehicle',
  blocks: [
    { kind: 'plate', plate: 'ABC123', province: 'Ontario' },
    { kind: 'text', text: 'Somebody left a note.' },
    { kind: 'quote', text: 'Your lights are on.\nHurry <b>&</b> see www.evil.ca' },
    { kind: 'list', items: ['a permit', 'an invoice'] },
    { kind: 'button', label: 'Reply', url: 'https://platenote.test/dashboard/messages?view=received&x="1"' },
    { kind: 'note', text: 'The link works for 15 minutes.' },
  ],
  reason: 'You get this because you registered this plate.',
}
const EN = { locale: 'en', publicUrl: 'https://platenote.test', supportEmail: 'support@platenote.test' } as const
const FR = { ...EN, locale: 'fr-CA' } as const

test('the text version says all the HTML does, in the same order', () => {
  const { text } = renderMail(CONTENT, EN)
  assert.equal(
    text,
    `A note about your vehicle

[ ABC123 ] Ontario

Somebody left a note.

> Your lights are on.
> Hurry <b>&</b> see www.\u200aevil.\u200aca

- a permit
- an invoice

Reply:
https://platenote.test/dashboard/messages?view=received&x="1"

The link works for 15 minutes.

-- 
PlateNote. A short note to the owner of a vehicle, by its plate.
https://platenote.test/

You get this because you registered this plate.

Nobody reads replies to this e-mail. Questions? Write to support@platenote.test.
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
      blocks: [
        { kind: 'text', text: hostile },
        { kind: 'quote', text: hostile },
        { kind: 'plate', plate: hostile, province: hostile },
        { kind: 'list', items: [hostile] },
        { kind: 'note', text: hostile },
        { kind: 'button', label: hostile, url: 'https://platenote.test/?a=1&b="><b>' },
      ],
    },
    EN,
  )
  assert.doesNotMatch(html, /<script|<a href="https:\/\/evil|onload="|<b>/)
  const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href)
  assert.deepEqual(links, [
    'https://platenote.test/',
    'https://platenote.test/?a=1&amp;b=&quot;&gt;&lt;b&gt;',
    'mailto:support@platenote.test',
  ])
})

test('the HTML names its language, has a preheader and follows the dark theme', () => {
  const { html } = renderMail(CONTENT, FR)
  assert.match(html, /<html lang="fr-CA"/)
  assert.match(html, /<meta name="color-scheme" content="light dark">/)
  assert.match(html, /prefers-color-scheme: dark/)
  assert.ok(html.indexOf(CONTENT.preheader) < html.indexOf('A note about your vehicle</h1>'))
  assert.match(html, /Personne ne lit les réponses à ce courriel\./)
  assert.match(html, /href="https:\/\/platenote\.test\/fr"/)
  // nothing is fetched when a mail is opened: that would tell who reads it, and when
  assert.doesNotMatch(html, /<img|<link|@import|url\(/)
})

test('a mail stays far below the size at which Gmail cuts it (102 kB), also with the longest message', () => {
  const { html } = renderMail({ ...CONTENT, blocks: [{ kind: 'quote', text: '<é>\n'.repeat(500) }] }, FR)
  assert.ok(Buffer.byteLength(html) < 40_000, `${Buffer.byteLength(html)} bytes`)
})
