import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Dispute, IncumbentStatus } from './queries.ts'
import { type Resolution, resolveDispute, TRANSITIONS, type Transition } from './state-machine.ts'

const against = (
  challenger: string,
  status: IncumbentStatus = 'active',
  pauses = status !== 'verified',
  succeeded = false,
): Dispute => ({
  id: `dispute of ${challenger}`,
  incumbent_vehicle_id: 'incumbent',
  incumbent_status: status,
  incumbent_succeeded: succeeded,
  challenger_vehicle_id: challenger,
  pauses,
})

const cases: [what: string, disputes: Dispute[], leaving: string[], ending: Resolution][] = [
  ['there is no dispute', [], ['incumbent'], { ended: [], settled: null, survivor: null, successor: null }],
  [
    'the only challenger leaves: the incumbent is active again',
    [against('a')],
    ['a'],
    {
      ended: ['dispute of a'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'restored' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'the only challenger of a verified vehicle leaves',
    [against('a', 'verified')],
    ['a'],
    {
      ended: ['dispute of a'],
      settled: { vehicleId: 'incumbent', status: 'verified', settlement: 'stayed' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'one of two challengers leaves: the dispute goes on',
    [against('a'), against('b')],
    ['a'],
    { ended: ['dispute of a'], settled: null, survivor: 'incumbent', successor: null },
  ],
  [
    'the only challenger leaves, whose challenge paused nothing',
    [against('a', 'active', false)],
    ['a'],
    {
      ended: ['dispute of a'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'undisturbed' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'the one whose challenge paused the plate leaves: the incumbent is active again while the other waits',
    [against('a'), against('b', 'active', false)],
    ['a'],
    {
      ended: ['dispute of a'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'resumed' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'one whose challenge paused nothing leaves: the plate stays paused by the other',
    [against('a'), against('b', 'active', false)],
    ['b'],
    { ended: ['dispute of b'], settled: null, survivor: 'incumbent', successor: null },
  ],
  [
    'both challengers leave together',
    [against('a'), against('b')],
    ['a', 'b'],
    {
      ended: ['dispute of a', 'dispute of b'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'restored' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'the incumbent leaves a lone challenger',
    [against('a', 'verified')],
    ['incumbent'],
    {
      ended: ['dispute of a'],
      settled: { vehicleId: 'a', status: 'active', settlement: 'gained' },
      survivor: null,
      successor: null,
    },
  ],
  [
    'the incumbent leaves three challengers: the oldest becomes the incumbent',
    [against('a'), against('b'), against('c')],
    ['incumbent'],
    {
      ended: ['dispute of a'],
      settled: null,
      survivor: null,
      successor: { vehicleId: 'a', status: 'active', disputes: ['dispute of b', 'dispute of c'] },
    },
  ],
  [
    'the last challenger of one who was a challenger too leaves: it is active for the first time',
    [against('b', 'active', true, true), against('c', 'active', false, true)],
    ['b', 'c'],
    {
      ended: ['dispute of b', 'dispute of c'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'gained' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'the last that kept one waiting who was a challenger too leaves, and another one waits for an admin',
    [against('b', 'active', true, true), against('c', 'active', false, true)],
    ['b'],
    {
      ended: ['dispute of b'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'started' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'one who was a challenger too, and has been active since, is paused later, and keeps the plate',
    [against('c', 'active', false, true), against('d')],
    ['d'],
    {
      ended: ['dispute of d'],
      settled: { vehicleId: 'incumbent', status: 'active', settlement: 'resumed' },
      survivor: 'incumbent',
      successor: null,
    },
  ],
  [
    'the incumbent and the oldest challenger leave together',
    [against('a'), against('b')],
    ['incumbent', 'a'],
    {
      ended: ['dispute of a', 'dispute of b'],
      settled: { vehicleId: 'b', status: 'active', settlement: 'gained' },
      survivor: null,
      successor: null,
    },
  ],
  [
    'everybody leaves',
    [against('a'), against('b')],
    ['b', 'incumbent', 'a'],
    { ended: ['dispute of a', 'dispute of b'], settled: null, survivor: null, successor: null },
  ],
]

for (const [what, disputes, leaving, ending] of cases) {
  test(what, () => {
    assert.deepEqual(resolveDispute(disputes, new Set(leaving)), ending)
  })
}

test('docs/disputes.md shows the table the code uses', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/disputes.md'), 'utf8')
  const formatNotices = ({ notification, mail }: { notification: string | null; mail: string | null }) =>
    `${notification ?? '–'} | ${mail ?? '–'}`
  for (const [name, transition] of Object.entries<Transition>(TRANSITIONS)) {
    const { by, from, on, itself, others, audit } = transition
    const row = [
      name,
      by,
      on.join(', '),
      from.join(', '),
      itself.vehicle,
      formatNotices(itself),
      others === 'settled' ? 'settled | – | –' : `${others.vehicle} | ${formatNotices(others)}`,
      audit ?? '–',
    ]
    assert.ok(page.includes(`| ${row.join(' | ')} |`), `docs/disputes.md needs the row | ${row.join(' | ')} |`)
  }
})
