import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

test.describe.configure({ mode: 'parallel' })

test('two people do the whole main job through the screens', async ({ product, visit }) => {
  await runHappyPath({ product, visit })
})

test('two people do the whole main job on their phones @phone', async ({ product, visit }) => {
  await runHappyPath({ product, visit })
})
