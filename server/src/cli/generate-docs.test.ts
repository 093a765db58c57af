import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RETENTION } from '../retention.ts'
import { renderLimitsDoc, renderRetentionDoc } from './generate-docs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('the generated pages are what their tables generate', () => {
  for (const [page, text] of [
    ['limits', renderLimitsDoc()],
    ['retention', renderRetentionDoc()],
  ] as const)
    assert.equal(
      read(`docs/${page}.md`),
      text,
      `npm run --silent node -- server/src/cli/generate-docs.ts ${page} > docs/${page}.md`,
    )
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
    const { period } = RETENTION[name as keyof typeof RETENTION]
    for (const [i, text] of texts.entries())
      assert.ok(
        pages[i]!.includes(text.replace('#', String(Number.parseInt(period, 10)))),
        `${name}: ${text}, ${period}`,
      )
  }
})
