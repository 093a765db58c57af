import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TRANSITIONS, type Transition } from './state-machine.ts'

// What the transitions do is compared with a model in vehicles/disputes.model.test.ts.

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
