import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { MAIL_RENDERERS } from '../../server/src/mail-renderers.ts'
import { testApp } from '../../server/src/test/app.ts'
import { JOB_NAMES } from '../../web/src/system/job-names.ts'
import { root } from './root.mjs'

// What a server runs and sends is named for admins elsewhere, and these lists must not fall behind.

let app
let admin

before(async () => {
  app = await testApp()
  admin = await app.user()
  await app.db`update auth.users set is_admin = true where id = ${admin.id}`
})
after(() => app.close())

/** Returns the names of the jobs. A worker that has stopped has recorded at least one run of each. */
async function listJobs() {
  const worker = await testApp({ sibling: app, settings: { ROLE: 'worker' } })
  await worker.close()
  const { body } = await admin.get('/api/admin/health')
  return body.jobs.map(({ name }) => name)
}

test('every job that runs has a name in both languages, and nothing else does', async () => {
  const jobs = await listJobs()
  for (const names of Object.values(JOB_NAMES)) assert.deepEqual(Object.keys(names).sort(), jobs.sort())
})

test('every kind of email has a name in both languages, and nothing else does', () => {
  const text = readFileSync(join(root, 'web/src/system/mail-kinds.ts'), 'utf8')
  const languages = text.split("'fr-CA': {")
  assert.equal(languages.length, 2)
  for (const names of languages)
    assert.deepEqual(
      [...names.matchAll(/^ {4}(\w+): '/gm)].map(([, kind]) => kind).sort(),
      Object.keys(MAIL_RENDERERS).sort(),
    )
})
