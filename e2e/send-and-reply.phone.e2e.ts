import { test } from './fixtures.ts'
import { mainJob } from './main-job.ts'

test('two people do the whole main job on their phones', async ({ product, visit }) => {
  await mainJob({ product, visit })
})
