import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { WORK_CLASSES } from '../http/work-class.ts'
import { createLogger } from '../log/logger.ts'
import { accepted, createCaller, testApp } from '../test/app.ts'
import { createAdmin } from '../test/disputes.ts'
import { startDispute } from '../test/documents.ts'
import { eventually } from '../test/eventually.ts'
import { startFakeS3 } from '../test/fake-s3.ts'
import { findFreePort } from '../test/free-port.ts'
import { sendMessage } from '../test/messages.ts'
import { startSiblingServer } from '../test/sibling-server.ts'
import { PIXEL, uploadDocument, uploadImage } from '../test/upload.ts'

// What people and whoever runs the server learn when the bucket of photos takes nothing.

const s3 = await startFakeS3()
const METRICS_PORT = String(await findFreePort())
const app = await testApp({ settings: { STORAGE_URL: s3.storageUrl('photos'), METRICS_PORT } })
const lines: string[] = []
const server = await startSiblingServer({
  ...app.context,
  log: createLogger('error', { write: (line) => void lines.push(line) }),
})
after(() => s3.close())

test('while the bucket refuses the secret, uploads and photos are refused for now, the log says what to do, the metrics count it, and then all goes on', async (t) => {
  const who = createCaller(server.url, (await app.user()).token)
  const upload = () => uploadImage(who, PIXEL)
  const { url: path } = await accepted(upload())
  const stored = s3.objects.size
  const countFailed = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    return Number(/^platenote_storage_failed (\d+)$/m.exec(metrics)?.[1])
  }
  assert.equal(await countFailed(), 0)

  const { secret } = s3
  t.after(() => Object.assign(s3, { secret }))
  s3.secret = 'the secret after the next change of keys'
  for (const { status, headers, body } of [await upload(), await who.get(path)]) {
    assert.deepEqual([status, headers.get('retry-after'), body.code], [503, '2', 'busy'])
    const { msg, error } = JSON.parse(lines.pop()!)
    assert.deepEqual(
      [msg, error.code, error.advice],
      [
        'request failed',
        'SignatureDoesNotMatch',
        'the bucket photos cannot be used (SignatureDoesNotMatch): correct AWS_SECRET_ACCESS_KEY, which is not the secret of AWS_ACCESS_KEY_ID',
      ],
    )
  }
  assert.equal(s3.objects.size, stored)
  assert.equal(await countFailed(), 2)

  s3.secret = secret
  assert.equal((await upload()).status, 201)
  assert.equal((await who.get(path)).status, 200)
})

const MAX_CALLS = 4

test('a bucket that falls silent takes no places of calls: photos and documents have their own, and beyond them are refused at once', async (t) => {
  // a server with few places, to which everybody comes from the network they name
  const config = { ...app.config, MAX_CONCURRENT_CALLS: MAX_CALLS, TRUST_PROXY: ['127.0.0.1'] }
  const small = await startSiblingServer({ ...app.context, config, patienceMs: undefined })
  t.after(async () => {
    s3.stalls = undefined
    s3.disconnect()
    await small.close()
  })
  const [owner, sender, admin] = [await app.user(), await app.user(), await createAdmin(app)]
  const { plate } = await app.vehicle(owner)
  const { url } = (await uploadImage(sender, PIXEL)).body
  const { challenger, vehicles } = await startDispute(app, 'HUNG1')
  const document = (await uploadDocument(challenger, vehicles.challenger.id, PIXEL)).body
  s3.stalls = 'at once'
  const at = (token?: string) => createCaller(small.url, token)
  const open = (network: number) => at().get(url, { 'x-forwarded-for': `203.0.${network}.1` })
  const openDocument = () => at(admin.token).post(`/api/admin/documents/${document.id}/open`)
  const inProgress = (count: number) =>
    eventually(async () => (small.workInProgress('file') === count ? true : undefined))

  const held = [open(1), open(2), open(3), openDocument()]
  await inProgress(MAX_CALLS)
  for (const { status, body } of [await open(4), await openDocument()])
    assert.deepEqual([status, body.code], [503, 'busy'])
  await sendMessage(at(sender.token), plate)
  assert.deepEqual(WORK_CLASSES.map(small.workInProgress), [0, MAX_CALLS, 0, 0, 0])

  s3.stalls = undefined
  s3.disconnect()
  for (const response of await Promise.all(held)) assert.equal(response.status, 200)
  await inProgress(0)
})
