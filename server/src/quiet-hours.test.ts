import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { CANADIAN_TIME_ZONES, isTimeZone } from '#contract/time-zones.ts'
import { quietUntil } from './quiet-hours.ts'

const TORONTO = 'America/Toronto'
type Case = [what: string, from: string, until: string, now: string, end: string | null, zone?: string]

// Toronto is at -05:00 in winter and at -04:00 in summer; clocks go back on 1 November 2026 at 2:00 and ahead on 14 March 2027
const cases: Case[] = [
  ['the moment they begin', '22:00', '07:00', '2026-11-20T22:00:00-05:00', '2026-11-21T07:00:00-05:00'],
  ['their last second', '22:00', '07:00', '2026-11-21T06:59:59-05:00', '2026-11-21T07:00:00-05:00'],
  ['the moment they end', '22:00', '07:00', '2026-11-21T07:00:00-05:00', null],
  ['within a day', '13:00', '15:30', '2026-11-21T14:00:00-05:00', '2026-11-21T15:30:00-05:00'],
  ['within a day, later', '13:00', '15:30', '2026-11-21T22:00:00-05:00', null],
  ['until midnight', '20:00', '00:00', '2026-11-21T23:59:00-05:00', '2026-11-22T00:00:00-05:00'],

  [
    'the night of winter time lasts an hour longer',
    '22:00',
    '07:00',
    '2026-10-31T22:00:00-04:00',
    '2026-11-01T07:00:00-05:00',
  ],
  [
    'an end in the repeated hour, the first time',
    '22:00',
    '01:30',
    '2026-11-01T01:45:00-04:00',
    '2026-11-01T01:30:00-05:00',
  ],
  [
    'a beginning in the repeated hour, the first time',
    '01:30',
    '07:00',
    '2026-11-01T01:30:00-04:00',
    '2026-11-01T07:00:00-05:00',
  ],
  ['within the repeated hour', '01:10', '01:20', '2026-11-01T01:15:00-05:00', '2026-11-01T01:20:00-05:00'],

  [
    'the night of summer time is an hour shorter',
    '22:00',
    '07:00',
    '2027-03-13T22:00:00-05:00',
    '2027-03-14T07:00:00-04:00',
  ],
  ['an end that is skipped', '22:00', '02:30', '2027-03-14T01:59:00-05:00', '2027-03-14T03:00:00-04:00'],
  ['a beginning that is skipped', '02:30', '07:00', '2027-03-14T03:00:00-04:00', '2027-03-14T07:00:00-04:00'],
  ['hours that are skipped whole', '02:10', '02:40', '2027-03-14T03:00:00-04:00', null],

  ['Newfoundland', '22:00', '07:00', '2026-11-21T01:30:00Z', '2026-11-21T10:30:00.000Z', 'America/St_Johns'],
  [
    'half an hour of summer time',
    '22:00',
    '01:45',
    '2026-04-04T14:59:00Z',
    '2026-04-04T15:15:00Z',
    'Australia/Lord_Howe',
  ],
]

for (const [what, quiet_from, quiet_until, now, end, time_zone = TORONTO] of cases) {
  test(`quiet hours ${quiet_from} to ${quiet_until}: ${what}`, () => {
    const until = quietUntil({ quiet_from, quiet_until, time_zone }, new Date(now))
    assert.equal(until?.toISOString(), end === null ? undefined : new Date(end).toISOString())
  })
}

test('over both changes of clocks the hours last without a gap, and end when they said', () => {
  for (const start of ['2026-10-31T20:00:00Z', '2027-03-13T20:00:00Z']) {
    for (const [quiet_from, quiet_until] of [
      ['22:00', '07:00'],
      ['23:00', '01:30'],
      ['01:30', '02:30'],
      ['02:30', '03:10'],
      ['00:00', '23:00'],
    ] as const) {
      let previous: Date | null = null
      for (let minute = 0; minute < 36 * 60; minute++) {
        const now = new Date(Date.parse(start) + minute * 60_000)
        const until = quietUntil({ quiet_from, quiet_until, time_zone: TORONTO }, now)
        const at = `${quiet_from} to ${quiet_until}, ${now.toISOString()}`
        if (until) assert.ok(until > now && until.getTime() - now.getTime() <= 25 * 3_600_000, at)
        // an announced end holds: neither earlier nor later
        if (previous) assert.equal(until?.getTime() ?? now.getTime(), previous.getTime(), at)
        previous = until
      }
    }
  }
})

test('without quiet hours nothing is quiet', () => {
  assert.equal(quietUntil({ quiet_from: null, quiet_until: null, time_zone: '' }, new Date()), null)
})

test('every zone a browser may name can be used, and the Canadian ones exist', () => {
  const night = { quiet_from: '22:00', quiet_until: '21:59' }
  for (const time_zone of [...Intl.supportedValuesOf('timeZone'), ...CANADIAN_TIME_ZONES, 'UTC', 'America/Montreal']) {
    assert.ok(isTimeZone(time_zone), time_zone)
    const now = Temporal.ZonedDateTime.from(`2026-06-10T03:00:00[${time_zone}]`)
    const until = quietUntil({ ...night, time_zone }, new Date(now.epochMilliseconds))
    assert.equal(until && until.getTime() - now.epochMilliseconds, (18 * 60 + 59) * 60_000, time_zone)
  }
})
