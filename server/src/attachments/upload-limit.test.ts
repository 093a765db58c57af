import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { limitText } from '#contract/limit-texts.ts'
import { testApp } from '../test/app.ts'
import { DAY_S, HOUR_S } from '../time.ts'

const app = await testApp({ settings: { LIMIT_SCALE: '1' } })
after(() => app.close())

test('60 uploads a day, successful or not', async () => {
  const who = await app.user()
  const upload = () => {
    const form = new FormData()
    form.append('file', new Blob(['no image']), 'x.png')
    return who.post('/api/attachments', form)
  }
  for (let i = 0; i < 60; i++) assert.equal((await upload()).body.code, 'image_unreadable')
  const { status, body, headers } = await upload()
  assert.deepEqual([status, body], [429, { error: limitText('uploads', 'en'), code: 'too_many_requests' }])
  const retryAfterS = Number(headers.get('retry-after'))
  assert.ok(retryAfterS >= DAY_S - HOUR_S && retryAfterS <= DAY_S + HOUR_S, `${retryAfterS}`)
})
