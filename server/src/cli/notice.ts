import { readFileSync } from 'node:fs'
import { LOCALES } from '#contract/product.ts'
import { ConfigError, loadConfig } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { renderMail } from '../email/layout.ts'
import { OperatorError } from '../log/operator-error.ts'
import { buildNoticeMail } from '../notices/notice-mail.ts'
import { parseNotice } from '../notices/parse-notice.ts'
import { countRecipients, findNoticeByHash } from '../notices/queries.ts'
import { hashNotice, queueNotice } from '../notices/queue-notice.ts'
import { withdrawNotice } from '../notices/withdraw-notice.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run notice -- [--dry-run | --withdraw] <file>: mails a notice, such as a change of the terms, to everybody with an account, each in
// their language; --withdraw takes back what has not left. Works while a server is running, whose worker sends the emails.

const USAGE = 'usage: npm run notice -- [--dry-run | --withdraw] <file> (docs/operations.md has the format)'
const DEFAULT_PER_MINUTE = 300

const print = (line: string) => process.stdout.write(`${line}\n`)

await runCli(async () => {
  const options = process.argv.slice(2)
  const isDryRun = options.includes('--dry-run')
  const isWithdrawal = options.includes('--withdraw')
  const [path, ...more] = options.filter((option) => option !== '--dry-run' && option !== '--withdraw')
  if (!path || more.length > 0 || path.startsWith('-') || (isDryRun && isWithdrawal)) throw new ConfigError(USAGE)
  const file = readFile(path)
  const texts = parseNotice(file)
  const config = loadConfig(process.env)
  await withCurrentDatabase(config, async (db) => {
    if (isWithdrawal) return withdraw(db, file)
    const earlier = await findNoticeByHash(db, hashNotice(file))
    if (isDryRun) {
      for (const locale of LOCALES) {
        const content = buildNoticeMail(texts[locale], locale, config)
        print(`--- ${locale}: ${content.subject}\n\n${renderMail(content, { locale, config }).text}`)
      }
      const counts = await countRecipients(db)
      print(`Accounts: ${counts.map(({ locale, count }) => `${count} ${locale}`).join(', ') || 'none'}.`)
      print(earlier ? `This file was queued before, to ${earlier.queued} accounts.` : 'Nothing was queued: a dry run.')
      return
    }
    const { added, total } = await queueNotice(db, file, texts, { perMinute: DEFAULT_PER_MINUTE })
    print(
      added > 0
        ? `Queued ${added} emails, ${total} in all. They are sent over ${Math.ceil(added / DEFAULT_PER_MINUTE)} minutes.`
        : `This notice is complete: all ${total} accounts have it. Nothing was queued.`,
    )
  })
})

async function withdraw(db: Pool, file: string) {
  const done = await withdrawNotice(db, file)
  if (!done) throw new OperatorError('This file was never queued: there is nothing to withdraw.')
  const { withdrawn, left } = done
  print(`Withdrew ${withdrawn} emails. The other ${left} had left, or ${left === 1 ? 'was' : 'were'} leaving.`)
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`The file ${path} cannot be read.`)
  }
}
