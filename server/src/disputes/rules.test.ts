import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../refusal.ts'
import type { Dispute, IncumbentStatus } from './queries.ts'
import { assertMayChallenge, type Ending, endingOf } from './rules.ts'

const against = (challenger: string, status: IncumbentStatus = 'active'): Dispute => ({
  id: `dispute of ${challenger}`,
  incumbent_vehicle_id: 'incumbent',
  incumbent_status: status,
  challenger_vehicle_id: challenger,
})

const cases: [what: string, disputes: Dispute[], leaving: string[], ending: Ending][] = [
  ['nobody is in a dispute', [], ['incumbent'], { ended: [], settled: null, successor: null }],
  [
    'the only challenger leaves: the incumbent is active again',
    [against('a')],
    ['a'],
    { ended: ['dispute of a'], settled: { vehicleId: 'incumbent', status: 'active' }, successor: null },
  ],
  [
    'the only challenger of a verified vehicle leaves',
    [against('a', 'verified')],
    ['a'],
    { ended: ['dispute of a'], settled: { vehicleId: 'incumbent', status: 'verified' }, successor: null },
  ],
  [
    'one of two challengers leaves: the dispute goes on',
    [against('a'), against('b')],
    ['a'],
    { ended: ['dispute of a'], settled: null, successor: null },
  ],
  [
    'both challengers leave at once',
    [against('a'), against('b')],
    ['a', 'b'],
    { ended: ['dispute of a', 'dispute of b'], settled: { vehicleId: 'incumbent', status: 'active' }, successor: null },
  ],
  [
    'the incumbent leaves a lone challenger',
    [against('a', 'verified')],
    ['incumbent'],
    { ended: ['dispute of a'], settled: { vehicleId: 'a', status: 'active' }, successor: null },
  ],
  [
    'the incumbent leaves three challengers: the oldest stands in its place',
    [against('a'), against('b'), against('c')],
    ['incumbent'],
    {
      ended: ['dispute of a'],
      settled: null,
      successor: { vehicleId: 'a', status: 'active', disputes: ['dispute of b', 'dispute of c'] },
    },
  ],
  [
    'the incumbent and the oldest challenger leave at once',
    [against('a'), against('b')],
    ['incumbent', 'a'],
    { ended: ['dispute of a', 'dispute of b'], settled: { vehicleId: 'b', status: 'active' }, successor: null },
  ],
  [
    'everybody leaves',
    [against('a'), against('b')],
    ['b', 'incumbent', 'a'],
    { ended: ['dispute of a', 'dispute of b'], settled: null, successor: null },
  ],
]

for (const [what, disputes, leaving, ending] of cases) {
  test(what, () => {
    assert.deepEqual(endingOf(disputes, new Set(leaving)), ending)
  })
}

test('a person with no challenge open and two lately may start another', () => {
  assertMayChallenge({ open: 0, recent: 2, oldest_ends_in_s: 10 })
})

test('one open challenge, or three lately, are enough', () => {
  const refusal = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code
  assert.throws(() => assertMayChallenge({ open: 1, recent: 1, oldest_ends_in_s: 10 }), refusal('open_challenge'))
  assert.throws(() => assertMayChallenge({ open: 0, recent: 3, oldest_ends_in_s: 10 }), refusal('too_many_challenges'))
})
