import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietUntil } from './quiet-hours.ts'

const TORONTO = 'America/Toronto'
type Case = [what: string, hours: string, now: string, end: string | null, zone?: string]

// Toronto is at -05:00 in winter and at -04:00 in summer; clocks go back on 1 November 2026 at 2:00 and ahead on 14 March 2027
const cases: Case[] = [
  ['the moment they begin', '22:00–07:00', '2026-11-20T22:00-05:00', '2026-11-21T07:00-05:00'],
  ['their last second', '22:00–07:00', '2026-11-21T06:59:59-05:00', '2026-11-21T07:00-05:00'],
  ['the moment they end', '22:00–07:00', '2026-11-21T07:00-05:00', null],
  ['within a day', '13:00–15:30', '2026-11-21T14:00-05:00', '2026-11-21T15:30-05:00'],
  ['within a day, later', '13:00–15:30', '2026-11-21T22:00-05:00', null],
  ['until midnight', '20:00–00:00', '2026-11-21T23:59-05:00', '2026-11-22T00:00-05:00'],
  ['the night of winter time lasts an hour longer', '22:00–07:00', '2026-10-31T22:00-04:00', '2026-11-01T07:00-05:00'],
  ['an end in the repeated hour, the first time', '22:00–01:30', '2026-11-01T01:45-04:00', '2026-11-01T01:30-05:00'],
  [
    'a beginning in the repeated hour, the first time',
    '01:30–07:00',
    '2026-11-01T01:30-04:00',
    '2026-11-01T07:00-05:00',
  ],
  ['within the repeated hour', '01:10–01:20', '2026-11-01T01:15-05:00', '2026-11-01T01:20-05:00'],
  ['the night of summer time is an hour shorter', '22:00–07:00', '2027-03-13T22:00-05:00', '2027-03-14T07:00-04:00'],
  ['an end that is skipped', '22:00–02:30', '2027-03-14T01:59-05:00', '2027-03-14T03:00-04:00'],
  ['a beginning that is skipped', '02:30–07:00', '2027-03-14T03:00-04:00', '2027-03-14T07:00-04:00'],
  ['hours that are skipped whole', '02:10–02:40', '2027-03-14T03:00-04:00', null],
  ['Newfoundland', '22:00–07:00', '2026-11-21T01:30Z', '2026-11-21T10:30Z', 'America/St_Johns'],
  ['half an hour of summer time', '22:00–01:45', '2026-04-04T14:59Z', '2026-04-04T15:15Z', 'Australia/Lord_Howe'],
]

for (const [what, hours, now, end, time_zone = TORONTO] of cases) {
  test(`quiet hours ${hours}: ${what}`, () => {
    const [quiet_from = '', quiet_until = ''] = hours.split('–')
    const until = quietUntil({ quiet_from, quiet_until, time_zone }, new Date(now))
    assert.equal(until?.toISOString(), end === null ? undefined : new Date(end).toISOString())
  })
}

test('without quiet hours nothing is quiet, and a zone that is gone counts as the default one', () => {
  assert.equal(quietUntil({ quiet_from: null, quiet_until: null, time_zone: '' }, new Date()), null)
  const night = { quiet_from: '22:00', quiet_until: '07:00', time_zone: 'Nowhere/Gone' }
  const until = quietUntil(night, new Date('2026-11-20T23:00:00-05:00'))
  assert.equal(until?.toISOString(), '2026-11-21T12:00:00.000Z')
})
