import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { limitText } from '#contract/limit-texts.ts'
import { testApp } from '../test/app.ts'
import { startDispute } from '../test/documents.ts'
import { uploadDocument } from '../test/upload.ts'

const app = await testApp({ settings: { LIMIT_SCALE: '1', ROLE: 'web' } })
after(() => app.close())

test('20 documents a day, successful or not, and the text says how else to send them', async () => {
  const { challenger, vehicles } = await startDispute(app, 'LIMIT1')
  const upload = () => uploadDocument(challenger, vehicles.challenger.id, Buffer.from('%PDF-1.7 cut'))
  for (let i = 0; i < 20; i++) assert.equal((await upload()).body.code, 'document_unreadable')
  const { status, body } = await upload()
  assert.deepEqual([status, body], [429, { error: limitText('documents', 'en'), code: 'too_many_requests' }])
})
