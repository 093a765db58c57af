import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

test('two people go from sign-up to the reply on their phones @phone', async ({ person, product, visit }) => {
  await runHappyPath({ person, product, visit, plate: 'MAIN 124' })
})
