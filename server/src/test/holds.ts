import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepRecords } from '../holds/keep-records.ts'
import { type Person, testApp } from './app.ts'
import { createAdmin } from './disputes.ts'
import { runCommand } from './product.ts'

/** Returns the day so many days from today, by UTC. */
export const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
/** Returns what an admin fills in about a hold. */
export const terms = (more: object = {}) => ({
  reason: 'Production order of the court.',
  reference: 'SPVM 24-1187',
  ends_on: dayFromNow(90),
  ...more,
})

/** A line of an export. */
export type HeldRow = { table: string; why: string; row: Record<string, unknown>; file?: string }

/** Starts what tests of legal holds need: the product, an admin, and a folder for exports. The caller closes it. */
export async function startHolds() {
  const app = await testApp()
  const { db, context } = app
  const admin = await createAdmin(app)
  const folder = mkdtempSync(join(tmpdir(), 'platenote-hold-'))

  async function close() {
    await app.close()
    rmSync(folder, { recursive: true })
  }

  async function holdAccount(who: Person): Promise<string> {
    const { status, body, text } = await admin.post('/api/admin/holds/account', { email: who.email, ...terms() })
    assert.equal(status, 201, text)
    return body.id
  }

  async function holdPlate(plate: string): Promise<string> {
    const { status, body, text } = await admin.post('/api/admin/holds/plate', {
      plate,
      province: 'Ontario',
      ...terms(),
    })
    assert.equal(status, 201, text)
    return body.id
  }

  let exports = 0

  /** Runs the export command, and returns what it wrote. */
  async function exported(id: string): Promise<{ rows: HeldRow[]; files: Record<string, Buffer>; text: string }> {
    await keepRecords(context)
    const path = join(folder, String(++exports))
    const { code, err } = await runCommand('cli/hold.ts', ['export', id, path], {
      DATABASE_URL: app.database.url,
      DATA_DIR: app.config.DATA_DIR,
    })
    assert.equal(code, 0, err)
    const text = readFileSync(join(path, 'records.json'), 'utf8')
    const names = readdirSync(path).filter((name) => name !== 'records.json')
    return {
      rows: JSON.parse(text),
      files: Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name))])),
      text,
    }
  }

  return { app, db, context, admin, folder, close, holdAccount, holdPlate, exported }
}
