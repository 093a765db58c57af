import assert from 'node:assert/strict'
import { test } from 'node:test'
import { m } from '#texts/messages.js'
import { COLLISION_DUTIES, dutiesFor } from './collision-duties.ts'
import { PROVINCES } from './provinces.ts'

const LOCALES = ['en', 'fr-CA'] as const
const NOTE = /\b(note|notice|paper|windshield)\b|\b(avis|papier|pare-brise|note)\b/i

test('each of the ten provinces has something to do, after what is the same everywhere', () => {
  assert.equal(PROVINCES.length, 10)
  for (const province of PROVINCES) {
    const [first, ...steps] = dutiesFor(province, 'en')
    assert.equal(first, m.duty_stay({}, { locale: 'en' }))
    assert.ok(steps.length >= 2, province)
  }
})

test('Quebec’s page says to call the police when the owner is absent, and never that a note is enough', () => {
  const says = { en: dutiesFor('Quebec', 'en'), 'fr-CA': dutiesFor('Quebec', 'fr-CA') }
  assert.match(says.en[1]!, /^If the owner is not there, you must call the police right away\./)
  assert.match(says['fr-CA'][1]!, /^Si le propriétaire est absent, vous devez appeler la police immédiatement\./)
  for (const locale of LOCALES)
    for (const sentence of says[locale].flatMap((step) => step.split(/(?<=\.)\s/)))
      if (NOTE.test(sentence))
        assert.match(sentence, /^(Neither .* replaces that call|Ni .* ne remplacent cet appel)\.$/)
  // the search would find one
  assert.ok(dutiesFor('British Columbia', 'en').some((step) => NOTE.test(step)))
})

test('where the duties are open the page claims no section and sends people to the police', () => {
  const open = PROVINCES.filter((province) => COLLISION_DUTIES[province].basis === 'open')
  assert.ok(open.length > 0)
  for (const province of open) assert.ok(dutiesFor(province, 'en').some((step) => /ask what you have to do/.test(step)))
})
