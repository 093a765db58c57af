import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '../db/pool.ts'
import { findRunningEmbedded } from '../postgres/embedded-server.ts'
import { eventually } from '../test/eventually.ts'
import { findFreePort } from '../test/free-port.ts'
import { postJson } from '../test/post-json.ts'
import { startProduct } from '../test/product.ts'
import { startSmtpInbox } from '../test/smtp-inbox.ts'
import { MINUTE_MS } from '../time.ts'

test('after a kill -9 of the default installation its next start sends what was being sent, without waiting for leases', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-kill-'))
  chmodSync(folder, 0o755) // as root, PostgreSQL runs under another account and must pass through
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  let isStalled = true
  const inbox = await startSmtpInbox({ recipient: () => (isStalled ? 'stall' : undefined) })
  t.after(() => inbox.close())
  const port = await findFreePort()
  const settings = { DATA_DIR: folder, PORT: String(port), SMTP_URL: inbox.url, LOG_LEVEL: 'fatal' }

  const killed = await startProduct(settings)
  t.after(() => killed.stop('SIGKILL'))
  const account = { email: 'owner@example.com', password: 'Correct-horse-7', data: { full_name: 'Sam Roy' } }
  await postJson(`http://127.0.0.1:${port}/auth/v1/signup`, account)
  const db = openPool((await findRunningEmbedded(join(folder, 'postgres')))!, 1)
  const leased = await eventually(async () => {
    const [row] = await db<{ ends: string }[]>`select run_at as ends from outbox where lease_token is not null`
    return row
  })
  await db.end()
  await killed.stop('SIGKILL')

  isStalled = false
  const next = await startProduct(settings)
  t.after(() => next.stop())
  await inbox.to(account.email, 1, MINUTE_MS)
  assert.ok(new Date() < new Date(leased.ends), `it came after ${leased.ends}`)
})
