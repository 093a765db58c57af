import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RETENTION } from '../retention.ts'
import { renderRetentionDoc } from './generate-retention-doc.ts'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('docs/retention.md is what the table in retention.ts generates', () => {
  assert.equal(
    read('docs/retention.md'),
    renderRetentionDoc(),
    'npm run --silent node -- server/src/cli/generate-retention-doc.ts > docs/retention.md',
  )
})

test('each period is read where the table says it is, but for counters, which carry their own', () => {
  for (const [name, { where }] of Object.entries(RETENTION)) {
    assert.ok(existsSync(join(ROOT, where)), where)
    if (name !== 'counters') assert.ok(read(where).includes(`RETENTION.${name}.`), `${where} does not read ${name}`)
  }
})

test('the privacy page states the same periods in both languages', () => {
  const statements: Record<'en' | 'fr-CA', string[]> = {
    en: [
      'an unconfirmed sign-up: 7 days',
      'someone else already had: 90 days',
      'or 90 days after their last use',
      '90 days after the login',
      '**Messages, replies and photos:** 12 months after',
      'second step): 90 days',
      'and is kept for 24 months',
      'at most 30 days after the due date',
      'with the reports, for 24 months',
      'the appeal): 24 months after it ended',
      '**The record that an email was sent:** 30 days',
    ],
    'fr-CA': [
      'une inscription non confirmée : 7 jours',
      'quelqu’un d’autre avait déjà : 90 jours',
      'ou 90 jours après leur dernière utilisation',
      '90 jours après la connexion',
      '**Messages, réponses et photos :** 12 mois après',
      'deuxième étape) : 90 jours',
      'est conservé 24 mois',
      'au plus tard 30 jours après l’échéance',
      'les signalements, 24 mois',
      'la demande de révision) : 24 mois après la fin',
      '**La mention qu’un courriel a été envoyé :** 30 jours',
    ],
  }
  assert.deepEqual(
    [
      RETENTION.unconfirmedAccounts.period,
      RETENTION.challenges.period,
      RETENTION.idleSessions.period,
      RETENTION.sessionAddresses.period,
      RETENTION.messages.period,
      RETENTION.accountEvents.period,
      RETENTION.auditLog.period,
      RETENTION.disputeDocuments.period,
      RETENTION.reportedMessages.period,
      RETENTION.sanctions.period,
      RETENTION.finishedMails.period,
    ],
    [
      '7 days',
      '90 days',
      '90 days',
      '90 days',
      '12 months',
      '90 days',
      '24 months',
      '30 days',
      '24 months',
      '24 months',
      '30 days',
    ],
    'the statements below, and the page, say otherwise',
  )
  for (const [locale, texts] of Object.entries(statements)) {
    const page = read(`web/src/legal/content/${locale}/privacy.ts`)
    for (const text of texts) assert.ok(page.includes(text), `${locale}: ${text}`)
  }
})
