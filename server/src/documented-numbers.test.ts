import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS } from '#contract/attachments.ts'
import { MESSAGE_MAX } from '#contract/messages.ts'
import { LIMITS, type Limit } from './limits/limits.ts'
import { RETENTION } from './retention.ts'
import { DAY_S, HOUR_S, MINUTE_S } from './time.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Returns some columns of the rows of a page's table. */
const rowsOf = (page: string, columns: number[]) => {
  const rows = [...read(page).matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row!.split(' | '))
  return rows.map((row) => columns.map((column) => row[column]).join(', '))
}
const inEnglish = (count: number) => count.toLocaleString('en-CA')

/** Formats a duration in the largest unit that divides it: '5 minutes', 'hour'. */
function formatDuration(seconds: number): string {
  const units = { day: DAY_S, hour: HOUR_S, minute: MINUTE_S }
  const [unit, length] = Object.entries(units).find(([, unitS]) => seconds % unitS === 0)!
  return seconds === length ? unit : `${seconds / length} ${unit}s`
}

test('the page of limits has each with its number', () => {
  const limits = Object.entries<Limit>(LIMITS).map(([name, { max, windowS, storage = 'database' }]) =>
    [`\`${name}\``, inEnglish(max), windowS === null ? 'at a time' : `in any ${formatDuration(windowS)}`, storage].join(
      ', ',
    ),
  )
  assert.deepEqual(rowsOf('docs/limits.md', [0, 3, 4, 5]), limits)
  for (const sentence of [
    `a message and a reply have at most ${inEnglish(MESSAGE_MAX)} characters`,
    `an image has at most ${IMAGE_MAX_BYTES / 1e6} MB and ${IMAGE_MAX_PIXELS / 1e6} million pixels`,
  ])
    assert.ok(read('docs/limits.md').includes(sentence), sentence)
})

test('the page of what is kept has each with its period', () => {
  const periods = Object.entries(RETENTION).map(([name, period]) => `\`${name}\`, ${period}`)
  assert.deepEqual(rowsOf('docs/retention.md', [0, 2]), periods)
})

/** What the privacy page says of periods, with # for the number of each. */
const STATEMENTS: Partial<Record<keyof typeof RETENTION, [en: string, fr: string]>> = {
  unconfirmedAccounts: ['an unconfirmed sign-up: # days', 'une inscription non confirmée : # jours'],
  challenges: ['someone else already had: # days', 'quelqu’un d’autre avait déjà : # jours'],
  idleSessions: ['or # days after their last use', 'ou # jours après leur dernière utilisation'],
  sessionAddresses: ['# days after the login', '# jours après la connexion'],
  messages: ['**Messages, replies and photos:** # months after', '**Messages, réponses et photos :** # mois après'],
  accountEvents: ['second step): # days', 'deuxième étape) : # jours'],
  auditLog: ['and is kept for # months', 'est conservé # mois'],
  disputeDocuments: ['at most # days after the due date', 'au plus tard # jours après l’échéance'],
  reportedMessages: ['with the reports, for # months', 'les signalements, # mois'],
  sanctions: ['the appeal): # months after it ended', 'la demande de révision) : # mois après la fin'],
  finishedMails: [
    '**The record that an email was sent:** # days',
    '**La mention qu’un courriel a été envoyé :** # jours',
  ],
}

test('the privacy page states the same periods in both languages', () => {
  const pages = ['en', 'fr-CA'].map((locale) => read(`locales/legal/${locale}/privacy.json`))
  for (const [name, texts] of Object.entries(STATEMENTS)) {
    const period = RETENTION[name as keyof typeof RETENTION]
    for (const [i, text] of texts.entries())
      assert.ok(
        pages[i]!.includes(text.replace('#', String(Number.parseInt(period, 10)))),
        `${name}: ${text}, ${period}`,
      )
  }
})
