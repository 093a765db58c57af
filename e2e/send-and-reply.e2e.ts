import { test } from './fixtures.ts'
import { mainJob } from './main-job.ts'

test('two people do the whole main job through the screens', async ({ product, visit }) => {
  await mainJob({ product, visit })
})
