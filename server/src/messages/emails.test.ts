import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Person, testApp } from '../test/app.ts'
import { deleteReported } from '../test/cases.ts'
import { createAdmin } from '../test/disputes.ts'
import { eventually } from '../test/eventually.ts'
import { sendMessage } from '../test/messages.ts'
import { NOT_QUIET, quietNow } from '../test/quiet-hours.ts'
import { type ReceivedMail, startSmtpInbox } from '../test/smtp-inbox.ts'
import { PIXEL, uploadImage } from '../test/upload.ts'
import { join } from '../test/vehicle-people.ts'

const CARD = {
  kind: 'hit',
  province: 'Ontario',
  particulars: { name: 'Kim Roy', phone: '416 555 0100', address: '12 Main Street' },
  photos: [],
  not_anonymous: true,
}

const inbox = await startSmtpInbox()
const app = await testApp({ settings: { SMTP_URL: inbox.url } })
after(() => inbox.close())

/** What the emails about messages and replies say (requirements §7, decision message-emails), as they arrive. */
describe('the emails about messages and replies', () => {
  const reply = async (from: Person, id: string, text: string) =>
    assert.equal((await from.post(`/api/messages/${id}/reply`, { reply: text })).status, 200)
  const mailAbout = (who: Person, subject: string): Promise<ReceivedMail> =>
    eventually(async () => inbox.received.find(({ to, parsed }) => to === who.email && parsed.subject === subject))
  /** Returns everything a mail program shows before the email is opened. */
  const shownUnopened = ({ parsed }: ReceivedMail): string =>
    `${parsed.subject}\n${/<div style="display:none.*?<\/div>/s.exec(parsed.html || '')?.[0]}`
  const bodiesOf = ({ parsed }: ReceivedMail): string => `${parsed.text}\n${parsed.html}`

  test('have plate, reason, text and link, and those of replies plate, text and link', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    const image = (await uploadImage(sender, PIXEL)).body
    const id = await sendMessage(sender, plate, 'You’re behind me.\n\nSecond  row, <b>grey</b> "van" & trailer', {
      reason: 'blocked_in',
      attachment_id: image.id,
    })
    const mail = await mailAbout(owner, `${plate}: your vehicle is blocking someone in`)
    const { text = '', html } = mail.parsed
    assert.ok(text.startsWith(`Your vehicle is blocking someone in\n\n[ ${plate} ]\n`), text)
    assert.ok(text.includes('\n\n> You’re behind me.\n>\n> Second  row, <b>grey</b> "van" & trailer\n\n'), text)
    assert.ok(text.includes(`\n\nThe message includes a photo. The buttons below show it.\n\n`), text)
    const [, link] = /\nRead and reply:\n(http:\/\/platenote\.test\/answer#token=[\w-]{43})\n/.exec(text) ?? []
    assert.ok(link, text)
    for (const part of [
      `>Your vehicle is blocking someone in</h1>`,
      `>${plate}</div>`,
      'You’re behind me.<br><br>Second  row, &lt;b&gt;grey&lt;/b&gt; &quot;van&quot; &amp; trailer</blockquote>',
      `>The message includes a photo. The buttons below show it.</p>`,
      `href="${link}"`,
    ])
      assert.ok((html || '').includes(part), part)
    assert.doesNotMatch(shownUnopened(mail), /behind me/)
    assert.deepEqual(mail.parsed.attachments, [])
    assert.doesNotMatch(mail.raw, /<img|attachments\/|image\/webp|data:/)

    await reply(owner, id, 'Two minutes.\nSorry!')
    const answer = await mailAbout(sender, `Reply about plate ${plate}`)
    for (const part of [
      `\n[ ${plate} ]\n`,
      '\n\n> Two minutes.\n> Sorry!\n\n',
      `\nhttp://platenote.test/dashboard/messages?view=sent#${id}\n`,
    ])
      assert.ok((answer.parsed.text ?? '').includes(part), part)
    assert.match(answer.parsed.html || '', /Two minutes\.<br>Sorry!<\/blockquote>/)
    assert.doesNotMatch(shownUnopened(answer), /Two minutes/)
  })

  test('remind of a message with what it is about and where it is, and never with more than the reader wants', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    const { plate } = await app.vehicle(owner)
    for (const [reason, showsText] of [
      ['lights_on', true],
      ['someone_inside', false],
    ] as const) {
      await owner.patch('/api/preferences', { email_message_text: showsText })
      const id = await sendMessage(sender, plate, `Written about ${reason}`, { reason })
      await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${id}`
      assert.equal((await sender.post(`/api/messages/${id}/nudge`)).status, 200)
      const about = { lights_on: /your lights are on/, someone_inside: /inside/ }[reason]
      const { parsed } = await eventually(async () =>
        inbox.received.find(
          ({ to, parsed }) =>
            to === owner.email && parsed.text?.includes('still waiting') && about.test(parsed.subject ?? ''),
        ),
      )
      assert.equal(parsed.text!.includes(`> Written about ${reason}`), showsText, parsed.text)
      const isUrgent = reason === 'someone_inside'
      assert.equal(parsed.subject!.startsWith('URGENT – '), isUrgent, parsed.subject)
      assert.equal(/call\u00a0911\./.test(parsed.text!), isUrgent, parsed.text)
      // nothing of it outlives the message
      await app.db`delete from messages where id = ${id}`
      assert.deepEqual(await app.db`select kind from outbox where ref_id = ${id}`, [])
    }
  })

  test('have no text for whoever turned it off; that there is a photo is said all the same', async () => {
    const [owner, sender] = [await app.user(), await app.user()]
    for (const who of [owner, sender]) await who.patch('/api/preferences', { email_message_text: false })
    const { plate } = await app.vehicle(owner)
    const image = (await uploadImage(sender, PIXEL)).body
    const id = await sendMessage(sender, plate, 'a private word', { attachment_id: image.id })
    const mail = await mailAbout(owner, `New message about your vehicle ${plate}`)
    assert.match(bodiesOf(mail), /The message includes a photo\. Log in to see it\./)
    await reply(owner, id, 'another private word')
    for (const one of [mail, await mailAbout(sender, `Reply about plate ${plate}`)])
      assert.doesNotMatch(one.raw + bodiesOf(one), /private word|<blockquote/)
  })

  test('have the whole of the longest text, whatever is in it, and none of it looks like ours', async () => {
    const owner = await app.user()
    const { plate } = await app.vehicle(owner)
    const lines = [
      '\u202eright to left',
      '-- ',
      '> quoted',
      'a\u2028b\u2029c\u0085d\u000be\u000cf',
      '</blockquote></table>',
    ]
    const start = `${lines.join('\n')}\n`
    const content = start + '&"é🚗'.repeat(500).slice(0, 2 * (1_990 - start.length))
    await sendMessage(await app.user(), plate, `${[...content].slice(0, 1_995).join('')}(end)`)
    const mail = await mailAbout(owner, `New message about your vehicle ${plate}`)
    const quoted = (mail.parsed.text ?? '').split('\n\n').find((paragraph) => paragraph.startsWith('>')) ?? ''
    assert.match(quoted, /\(end\)$/)
    assert.ok(
      quoted.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/).every((line) => line.startsWith('>')),
      quoted,
    )
    assert.match(quoted, /^> a\n> b\n> c\n> d\n> e\n> f$/m)
    assert.match(mail.parsed.html || '', /\(end\)<\/blockquote>/)
    assert.equal((mail.parsed.html || '').match(/<\/blockquote>/g)?.length, 1)
  })

  test('say to the owner that there is a card of particulars, to a driver that the owner has one, and no more', async () => {
    const [owner, driver] = [await app.user(), await app.user({ locale: 'fr-CA' })]
    const { id, plate } = await app.vehicle(owner)
    await join(owner, id, driver)
    const collision = { reason: 'accident', collision: CARD }
    await sendMessage(await app.user(), plate, 'About your bumper', collision)
    const mails = [
      await mailAbout(owner, `${plate}: your vehicle was hit`),
      await mailAbout(driver, `${plate}\u00a0: votre véhicule a été accroché`),
    ]
    for (const [i, said] of [
      'The sender left their details for you. Log in to see them.',
      'La personne qui écrit a laissé ses coordonnées au propriétaire du véhicule.',
    ].entries()) {
      assert.ok((mails[i]!.parsed.text ?? '').includes(`\n> About your bumper\n\n${said}\n`), said)
      assert.doesNotMatch(bodiesOf(mails[i]!), /Kim Roy|555/)
    }
  })

  describe('that wait', () => {
    /** Waits until the worker holds every email of somebody for whom it is quiet. */
    const untilHeld = (who: Person) =>
      eventually(async () => {
        const rows = await app.db`
          select from outbox where recipient_id = ${who.id} and kind in ('message', 'reply') and sent_at is null and not held`
        return rows.length === 0 ? true : undefined
      })
    const setQuiet = async (who: Person, hours: object) =>
      assert.equal((await who.patch('/api/preferences', hours)).status, 200)
    const textsTo = (who: Person) => inbox.received.filter(({ to }) => to === who.email).map((mail) => bodiesOf(mail))

    test('leave out what their reader has blocked or reported meanwhile, or moderators have removed, and no more', async () => {
      const [owner, sender, admin] = [await app.user(), await app.user(), await createAdmin(app)]
      const { plate } = await app.vehicle(owner)
      await setQuiet(owner, quietNow())
      const ids = []
      for (const word of ['blocked', 'reported', 'removed', 'unharmed'])
        ids.push(await sendMessage(sender, plate, `It is ${word}`))
      await untilHeld(owner)
      const [blocked, reported, removed] = ids
      assert.equal((await owner.post(`/api/messages/${blocked}/block`)).status, 204)
      for (const id of [reported, removed])
        assert.equal((await owner.post(`/api/messages/${id}/report`, { reason: 'threat' })).status, 201)
      await deleteReported(app, admin, removed!)
      await setQuiet(owner, NOT_QUIET)
      // of one person, so that nothing may show that the blocked one is of the same
      await mailAbout(owner, `New message about your vehicle ${plate}`)
      assert.match(textsTo(owner).join(), /It is unharmed/)
      assert.doesNotMatch(textsTo(owner).join(), /It is (blocked|reported|removed)/)
    })

    test('bring no reply that its reader has reported meanwhile', async () => {
      const [owner, sender] = [await app.user(), await app.user()]
      const { plate } = await app.vehicle(owner)
      await setQuiet(sender, quietNow())
      const [reported, read] = [await sendMessage(sender, plate, 'first'), await sendMessage(sender, plate, 'second')]
      await reply(owner, reported, 'It is reported')
      await reply(owner, read, 'It is unharmed')
      await untilHeld(sender)
      assert.equal((await sender.post(`/api/messages/${reported}/report`, { reason: 'threat' })).status, 201)
      await setQuiet(sender, NOT_QUIET)
      await mailAbout(sender, `Reply about plate ${plate}`)
      await eventually(async () => {
        const waiting =
          await app.db`select from outbox where recipient_id = ${sender.id} and kind = 'reply' and sent_at is null`
        return waiting.length === 0 ? true : undefined
      })
      assert.match(textsTo(sender).join(), /It is unharmed/)
      assert.doesNotMatch(textsTo(sender).join(), /It is reported/)
    })
  })
})
