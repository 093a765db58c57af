import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { postForm } from '../test/post-form.ts'
import { newGuest, received, startTags } from '../test/tags.ts'

// The pages of a windshield tag without scripts (decision windshield-tag).

const tags = await startTags()
after(tags.close)
beforeEach(tags.calmDown)
const { first, tagged } = tags

describe('without scripts', () => {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = newGuest()) =>
    postForm(first.url + path, fields, headers)

  test('the form leaves a message, and the receipt shows the answer, in the language that was chosen', async () => {
    const { owner, tag, end } = await tagged()
    const missing = await form(`/t/${tag.token}`, { plate_end: end, language: 'ar' })
    assert.equal(missing.status, 400)
    assert.match(missing.text, /<html lang="ar" dir="rtl">[\s\S]*اختر ما الأمر/)
    const wrong = await form('/t', { digits: tag.digits, plate_end: 'ZZ<', reason: 'alarm', language: 'es' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /value="ZZ&lt;"/)
    const refused = await form('/t', { digits: tag.digits, plate_end: 'ZZZ', reason: 'alarm', language: 'es' })
    assert.equal(refused.status, 403)
    assert.match(
      refused.text,
      /value="alarm" required checked[\s\S]*tarjeta|tarjeta[\s\S]*value="alarm" required checked/,
    )
    const left = await form(`/fr/t/${tag.token}`, {
      plate_end: end,
      reason: 'alarm',
      chips: 'waiting_here',
      language: 'fr',
    })
    assert.equal(left.status, 200)
    const [, receipt = ''] = /name="receipt" value="([\w-]{43})"/.exec(left.text) ?? []
    const [message] = await received(owner)
    assert.equal(message.left_at_vehicle, true)
    await owner.post(`/api/messages/${message.id}/reply`, { reply: '<b>On my way</b>', answer: 'coming' })
    const answered = await form('/r', { receipt, language: 'fr' })
    assert.match(answered.text, /Le propriétaire arrive tout de suite\.[\s\S]*&lt;b&gt;On my way&lt;\/b&gt;/)
    assert.equal((await form('/r', { receipt: 'x'.repeat(43), language: 'it' })).status, 404)
    assert.equal((await form('/r', { receipt: '' })).status, 404)
  })

  test('a form on another site leaves nothing', async () => {
    const { owner, tag, end } = await tagged()
    const foreign = { ...newGuest(), 'sec-fetch-site': 'cross-site' }
    assert.equal((await form(`/t/${tag.token}`, { plate_end: end, reason: 'alarm' }, foreign)).status, 403)
    assert.equal((await received(owner)).length, 0)
  })
})
