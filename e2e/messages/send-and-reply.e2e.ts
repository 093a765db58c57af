import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

test('two people do the whole main job through the screens', async ({ product, visit }) => {
  await runHappyPath({ product, visit })
})
