import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { localizedPath, paths } from '#contract/paths.ts'
import { reasonName } from '#contract/reasons.ts'
import { testApp } from '../test/app.ts'
import { eventually } from '../test/eventually.ts'

const app = await testApp()
const sender = await app.user()
after(() => app.close())

describe('the email of a reminder', () => {
  for (const [locale, mailText] of [
    ['en', true],
    ['fr-CA', false],
  ] as const)
    test(`leads to the message and says what it is about, in ${locale} ${mailText ? 'with' : 'without'} its text`, async () => {
      const owner = await app.user({ locale })
      await owner.patch('/api/preferences', { email_message_text: mailText })
      const { plate } = await app.vehicle(owner)
      for (const reason of [null, 'lights_on', 'someone_inside'] as const) {
        const content = `Written about ${reason}`
        const input = { plate, content, ...(reason && { reason }) }
        const { status, body, text } = await sender.post('/api/messages', input)
        assert.equal(status, 201, text)
        await app.db`update messages set inserted_at = inserted_at - interval '10 minutes' where id = ${body.id}`
        assert.equal((await sender.post(`/api/messages/${body.id}/nudge`)).status, 200)
        const url = app.config.PUBLIC_URL + localizedPath(paths.messages('received', body.id), locale)
        const heading = locale === 'en' ? 'Someone is still waiting' : 'Quelqu’un attend toujours'
        const mail = await eventually(async () =>
          (await app.mails(owner.email, 0)).find(
            (one) => one.text.includes(heading) && one.text.includes(`\n${url}\n`),
          ),
        )
        const name = reasonName(reason, locale)
        assert.match(mail.subject, locale === 'en' ? /Reminder/ : /Rappel/)
        assert.ok(mail.subject.includes(plate), mail.subject)
        if (name !== null) {
          assert.ok(mail.subject.toLowerCase().endsWith(name.toLowerCase()), mail.subject)
          assert.ok(mail.text.includes(`\n${name}\n`), mail.text)
        }
        assert.equal(/(call|appelez le) 911\./.test(mail.text), reason === 'someone_inside', mail.text)
        assert.equal(mail.subject.startsWith('URGENT – '), reason === 'someone_inside', mail.subject)
        assert.equal(mail.text.includes(`> ${content}`), mailText, mail.text)
        assert.match(mail.text, locale === 'en' ? /asked once more/ : /relance une fois/)
        assert.match(mail.text, locale === 'en' ? /use the button/ : /utilisez le bouton/)
      }
    })
})
