import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findFreePort } from '../test/free-port.ts'
import { postJson, signUpOverHttp } from '../test/post-json.ts'
import { runCommand, startProduct } from '../test/product.ts'
import { downloadImage, drawPng, fileForm } from '../test/upload.ts'

// The drill by the commands, from one embedded database into another: what an installation without settings does.

const CAR = { plate: 'DRILL1', make: 'Honda', model: 'Civic', registration_year: 2020, province: 'Ontario' }

async function start(t: TestContext, dataDir: string) {
  const port = String(await findFreePort())
  const settings = { PORT: port, DATA_DIR: dataDir, AUTH_AUTOCONFIRM: 'true', LOG_LEVEL: 'error' }
  const product = await startProduct(settings)
  t.after(() => product.stop('SIGKILL'))
  return { product, url: `http://localhost:${port}` }
}

/** Reads what the owner received, with the bytes of its photo. */
async function readMessage(url: string, token: string) {
  const response = await fetch(`${url}/api/messages?view=received`, { headers: { authorization: `Bearer ${token}` } })
  const { items } = (await response.json()) as { items: { content: string; image_url: string }[] }
  assert.equal(items.length, 1)
  const photo = await downloadImage(new URL(items[0]!.image_url, url).href)
  assert.equal(photo.status, 200)
  return { content: items[0]!.content, photo: photo.bytes }
}

test('a backup of an embedded database, made while the server runs or not, is restored into another one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-drill-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [old, fresh] = [join(folder, 'old'), join(folder, 'fresh')]
  const run = async (command: string, dataDir: string, ...args: string[]) => {
    const { code, out, err } = await runCommand(command, args, { DATA_DIR: dataDir })
    assert.deepEqual([code, err], [0, ''], out)
    return out
  }

  const before = await start(t, old)
  const owner = await signUpOverHttp(before.url, 'owner@example.com')
  const sender = await signUpOverHttp(before.url, 'sender@example.com')
  assert.equal((await postJson(`${before.url}/register-plate`, CAR, { token: owner })).status, 200)
  const form = fileForm(await drawPng())
  const uploaded = await fetch(`${before.url}/api/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sender}` },
    body: form,
  })
  const { id } = (await uploaded.json()) as { id: string }
  const message = { plate: CAR.plate, content: 'Your lights are on.', attachment_id: id }
  assert.equal((await postJson(`${before.url}/api/messages`, message, { token: sender })).status, 201)
  const expected = await readMessage(before.url, owner)
  await run('backup', old, join(folder, 'beside'))
  assert.deepEqual(await before.product.stop(), [0, null])
  await run('backup', old, join(folder, 'alone'))

  // the keys are kept apart, and put back first
  mkdirSync(fresh)
  copyFileSync(join(old, 'master.key'), join(fresh, 'master.key'))
  await run('backup', fresh, '--verify', join(folder, 'beside'))
  assert.match(await run('restore', fresh, join(folder, 'beside')), /^Restored the backup of /)
  assert.match(await run('restore', fresh, '--force', join(folder, 'alone')), /^Restored the backup of /)

  const after = await start(t, fresh)
  const refused = await fetch(`${after.url}/api/vehicles`, { headers: { authorization: `Bearer ${owner}` } })
  assert.equal(refused.status, 401)
  const account = { email: 'owner@example.com', password: 'Correct-horse-7' }
  const { body } = await postJson(`${after.url}/auth/v1/token?grant_type=password`, account)
  assert.deepEqual(await readMessage(after.url, body['access_token']!), expected)
  assert.deepEqual(await after.product.stop(), [0, null])
  assert.equal(after.product.err(), '')
})
