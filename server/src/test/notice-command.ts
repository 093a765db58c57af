import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { createMailHarness } from './mail-harness.ts'
import { runCommand } from './product.ts'

/** Creates an outbox and a folder with the file of a notice, which both end with the tests of the file that calls it. */
export async function createNoticeCommand(text: string) {
  const harness = await createMailHarness()
  const folder = mkdtempSync(join(tmpdir(), 'platenote-notice-'))
  const path = join(folder, 'notice.md')
  writeFileSync(path, text)
  after(async () => {
    rmSync(folder, { recursive: true })
    await harness.close()
  })
  /** Runs the command as `npm run notice -- …` does. */
  const notice = async (...args: string[]) => {
    const { code, out, err } = await runCommand('cli/notice.ts', args, { DATABASE_URL: harness.url })
    return { code, out: out.trim(), err: err.trim() }
  }
  return { harness, db: harness.db, folder, path, notice }
}
