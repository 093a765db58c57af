import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDueDate, getDocumentsDueAt, ontarioHolidays } from './business-days.ts'

const holidays: Record<number, string[]> = {
  2022: ['01-03', '02-21', '04-15', '05-23', '07-01', '09-05', '10-10', '12-26', '12-27'],
  2026: ['01-01', '02-16', '04-03', '05-18', '07-01', '09-07', '10-12', '12-25', '12-28'],
  2027: ['01-01', '02-15', '03-26', '05-24', '07-01', '09-06', '10-11', '12-27', '12-28'],
  2028: ['01-03', '02-21', '04-14', '05-22', '07-03', '09-04', '10-09', '12-25', '12-26'],
}

for (const [year, expected] of Object.entries(holidays)) {
  test(`public holidays in Ontario in ${year}`, () => {
    assert.deepEqual(
      ontarioHolidays(Number(year)).map(String),
      expected.map((day) => `${year}-${day}`),
    )
  })
}

// local times in Toronto: -05:00 in winter, -04:00 in summer
const cases: [what: string, now: string, due: string][] = [
  ['an ordinary week', '2025-06-02T09:00:00-04:00', '2025-06-09T23:59:59-04:00'],
  ['the last minute of a day, already the next one in UTC', '2025-06-02T23:59:00-04:00', '2025-06-09T23:59:59-04:00'],
  ['a Friday', '2025-06-06T12:00:00-04:00', '2025-06-13T23:59:59-04:00'],
  ['a Sunday', '2025-06-08T12:00:00-04:00', '2025-06-13T23:59:59-04:00'],
  ['over Good Friday', '2025-04-15T12:00:00-04:00', '2025-04-23T23:59:59-04:00'],
  ['on Canada Day', '2025-07-01T12:00:00-04:00', '2025-07-08T23:59:59-04:00'],
  ['over Christmas and New Year', '2025-12-24T12:00:00-05:00', '2026-01-05T23:59:59-05:00'],
  ['into summer time', '2026-03-06T12:00:00-05:00', '2026-03-13T23:59:59-04:00'],
  ['into winter time', '2026-10-30T12:00:00-04:00', '2026-11-06T23:59:59-05:00'],
  ['over Boxing Day on a Saturday', '2026-12-23T12:00:00-05:00', '2027-01-04T23:59:59-05:00'],
  ['over Christmas on a Saturday', '2027-12-24T12:00:00-05:00', '2028-01-05T23:59:59-05:00'],
]

for (const [what, now, due] of cases) {
  test(`five business days: ${what}`, () => {
    assert.equal(getDocumentsDueAt(new Date(now)).toISOString(), new Date(due).toISOString())
  })
}

test('a due date is formatted in Toronto time in both languages', () => {
  assert.equal(formatDueDate('2025-06-10T03:59:59.000Z', 'en'), 'Monday, June 9, 2025 (11:59 PM, Eastern time)')
  const french = formatDueDate('2025-06-10T03:59:59.000Z', 'fr-CA')
  assert.equal(french, 'lundi 9 juin 2025 (23\u00a0h\u00a059, heure de l’Est)')
  assert.match(formatDueDate('2026-05-02T03:59:59.000Z', 'fr-CA'), /^vendredi 1er mai 2026 /)
})
