import { test } from '../support/fixtures.ts'
import { runHappyPath } from '../support/happy-path.ts'

// on pages that are translated in every run (e2e/quality/translated-pages.e2e.ts)
test('two people go from sign-up to the reply on their phones @phone @full', async ({ person, product, visit }) => {
  await runHappyPath({ person, product, visit, plate: 'MAIN 124' })
})
