import { sample } from '../../scripts/lib/sample.mjs'
import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

test.describe.configure({ mode: 'parallel' })

for (const [title, plate] of sample.pick('send and reply', [
  ['through the screens', 'MAIN 123'],
  ['on their phones @phone', 'MAIN 124'],
] as const)) {
  test(`two people go from sign-up to the reply ${title} @always`, async ({ product, visit }) => {
    await runHappyPath({ product, visit, plate })
  })
}
