import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

test.describe.configure({ mode: 'parallel' })

test('two people go from sign-up to the reply through the screens', async ({ product, visit }) => {
  await runHappyPath({ product, visit, plate: 'MAIN 123' })
})

test('two people go from sign-up to the reply on their phones @phone', async ({ product, visit }) => {
  await runHappyPath({ product, visit, plate: 'MAIN 124' })
})
