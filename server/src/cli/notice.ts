import { readFileSync } from 'node:fs'
import { LOCALES } from '#contract/product.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { renderMail } from '../email/layout.ts'
import { buildNoticeMail } from '../notices/notice-mail.ts'
import { parseNotice } from '../notices/parse-notice.ts'
import { countRecipients, findNoticeByHash } from '../notices/queries.ts'
import { hashNotice, queueNotice } from '../notices/queue-notice.ts'
import { runCli, withCurrentDatabase } from './run.ts'

// npm run notice -- [--dry-run] <file>: mails a notice, such as a change of the terms, to everybody with an account, each in
// their language. Works while a server is running, whose worker sends the emails.

const USAGE = 'usage: npm run notice -- [--dry-run] <file> (docs/operations.md has the format)'
const DEFAULT_PER_MINUTE = 300

const print = (line: string) => process.stdout.write(`${line}\n`)

await runCli(async () => {
  const options = process.argv.slice(2)
  const isDryRun = options.includes('--dry-run')
  const [path, ...more] = options.filter((option) => option !== '--dry-run')
  if (!path || more.length > 0 || path.startsWith('-')) throw new ConfigError(USAGE)
  const file = readFile(path)
  const texts = parseNotice(file)
  const config = loadConfig(process.env)
  await withCurrentDatabase(config, async (db) => {
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

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError(`The file ${path} cannot be read.`)
  }
}
